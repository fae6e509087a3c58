import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import { lockfileIsComplete, lockfileNamesNoRegistry } from './lockfile.js';

const locking = (packages: object) => treeOf({ 'package-lock.json': { packages } });

test('an address in the lockfile is a breach, a workspace folder is not', (t) => {
  t.is(
    lockfileNamesNoRegistry.check(locking({ 'node_modules/a': { resolved: 'https://example.org/a.tgz' } })).length,
    1,
  );
  t.deepEqual(lockfileNamesNoRegistry.check(locking({ 'node_modules/@gantry/a': { resolved: 'drivers/a' } })), []);
});

test('an optional package without an entry is a breach', (t) => {
  const wanting = { 'node_modules/a': { optionalDependencies: { 'a-arm64': '1' } } };
  t.is(lockfileIsComplete.check(locking(wanting)).length, 1);
  t.deepEqual(lockfileIsComplete.check(locking({ ...wanting, 'node_modules/a-arm64': {} })), []);
  t.deepEqual(lockfileIsComplete.check(locking({ ...wanting, 'node_modules/a/node_modules/a-arm64': {} })), []);
});

test('below a package that is itself optional nothing has to be listed', (t) => {
  const wanting = { 'node_modules/a': { optional: true, optionalDependencies: { 'a-arm64': '1' } } };
  t.deepEqual(lockfileIsComplete.check(locking(wanting)), []);
});
