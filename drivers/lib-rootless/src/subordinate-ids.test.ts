import test from 'ava';
import { MissingRequirement } from './missing-requirement.js';
import { mappingArguments, rangesOf } from './subordinate-ids.js';

const user = { name: 'ann', uid: 1000 };

test('ranges are found by the name and by the number of the user', (t) => {
  const text = 'bob:1:2\nann:100000:65536\n1000:300000:10\n';
  t.deepEqual(rangesOf(text, user, '/etc/subuid'), [
    { first: 100_000, count: 65_536 },
    { first: 300_000, count: 10 },
  ]);
});

test('the error for a user without enough ids names the file', (t) => {
  for (const text of ['', 'ann:100000:1000\n', 'ann:x:65536\n', 'anna:100000:65536\n']) {
    const error = t.throws(() => rangesOf(text, user, '/etc/subgid'), { instanceOf: MissingRequirement });
    t.regex(error?.message ?? '', /\/etc\/subgid has fewer than 65536 ids for ann/);
  }
});

test('the user is root, and subordinate ids follow without gaps', (t) => {
  const ranges = [
    { first: 100_000, count: 65_536 },
    { first: 300_000, count: 10 },
  ];
  t.is(mappingArguments(1000, ranges).join(' '), '0 1000 1 1 100000 65536 65537 300000 10');
});
