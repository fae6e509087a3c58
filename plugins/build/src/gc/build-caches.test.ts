import test from 'ava';
import { compare } from '../context/kept-contexts.js';
import { allowedBytes } from '../contract/cache-facts.js';
import { cacheMatcher } from '../contract/cache-matcher.js';

test('limits allow what is used up to the most, what the disk can spare, and at least what is reserved', (t) => {
  const limits = { reservedSpace: 0, maxUsedSpace: 0, minFreeSpace: 0 };
  t.is(allowedBytes(limits, 500, 50), 0);
  t.is(allowedBytes({ ...limits, reservedSpace: 100 }, 500, 50), 100);
  t.is(allowedBytes({ ...limits, maxUsedSpace: 300 }, 500, 50), 300);
  t.is(allowedBytes({ ...limits, minFreeSpace: 40 }, 500, 50), 500);
  t.is(allowedBytes({ ...limits, minFreeSpace: 90 }, 500, 50), 460);
  t.is(allowedBytes({ reservedSpace: 480, maxUsedSpace: 490, minFreeSpace: 90 }, 500, 50), 480);
});

test('filters of caches are conditions that all hold, one filter or another', (t) => {
  const facts = { size: 1, created: new Date(), lastUsed: new Date(), isInUse: false, description: 'cached mount' };
  const cache = { ...facts, id: 'abcdef', type: 'exec.cachemount' as const };
  for (const filter of ['', 'id~=abc', 'type==exec.cachemount,inuse!=true', 'private', 'description~="mount"']) {
    t.true(cacheMatcher([filter])(cache), filter);
  }
  for (const filter of ['id==abd', 'type!=exec.cachemount', 'shared', 'inuse', 'type=exec.cachemount,shared']) {
    t.false(cacheMatcher([filter])(cache), filter);
  }
  t.true(cacheMatcher(['shared', 'mutable'])(cache));
  t.throws(() => cacheMatcher(['size>1']), { message: 'filter size>1: "size>1" is not a condition on a build cache' });
});

test('what a directory lacks now goes before it is transferred, and files that became directories', (t) => {
  const entry = (fingerprint: string, isDirectory = false) => ({ isDirectory, fingerprint });
  const old = { d: entry('1', true), 'd/a': entry('2'), 'd/b': entry('3'), e: entry('4'), f: entry('5', true) };
  const known = new Map(Object.entries({ ...old, g: entry('6'), l: entry('') }));
  const changed = { d: entry('7', true), 'd/a': entry('2'), 'd/c': entry('8'), e: entry('9', true), f: entry('10') };
  const now = new Map(Object.entries({ ...changed, g: entry('11'), l: entry('') }));
  t.deepEqual(compare(known, now), { unchanged: new Set(['d/a']), removed: ['d/b', 'e', 'f'] });
});
