import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import { threatsAreTested } from './threats.js';

const file = 'core/src/a.test.ts';
const check = (...lines: string[]) =>
  threatsAreTested.check(
    treeOf({
      [file]: "test('links are refused, always', (t) => t.pass());",
      'docs/security.md': [
        '# S',
        '',
        '## Threat model',
        '',
        '| threat | test |',
        '| - | - |',
        ...lines,
        '',
        '## X',
      ].join('\n'),
    }),
  );

test('a threat whose tests are there is fine, also by the beginning of their titles', (t) => {
  t.deepEqual(check(`| links | \`${file}\`: "links are refused …" |`), []);
});

test('a threat without a test, or with one that is not there, is a breach', (t) => {
  t.deepEqual(check('| links | see elsewhere |'), ['docs/security.md: "links" names no test']);
  t.deepEqual(check(`| links | \`${file}\`: "names are refused" |`), [
    `docs/security.md: "links": there is no test "names are refused" in ${file}`,
  ]);
  t.is(check('| links | `core/src/b.test.ts`: "links are refused" |').length, 1);
});

test('a page without a threat model is a breach', (t) => {
  t.is(threatsAreTested.check(treeOf({ 'docs/security.md': '# S' })).length, 1);
});
