import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import {
  buildCoversEveryPackage,
  buildOrderFollowsDependencies,
  packagesIntroduceThemselves,
  publishedPackagesAreComplete,
} from './package-rules.js';

const manifest = { name: '@gantry/foo', description: 'A driver.', license: 'Apache-2.0', type: 'module', exports: {} };

test('a package that says what it is passes', (t) => {
  const files = { 'drivers/foo/package.json': manifest, 'drivers/foo/README.md': '# Foo\n' };
  t.deepEqual(packagesIntroduceThemselves.check(treeOf(files)), []);
});

test('each thing a package leaves unsaid is a breach of its own', (t) => {
  const files = { 'drivers/foo/package.json': { name: 'foo' }, 'drivers/foo/README.md': '\n' };
  t.deepEqual(packagesIntroduceThemselves.check(treeOf(files)), [
    'drivers/foo: name should be @gantry/foo',
    'drivers/foo: description is missing',
    'drivers/foo: license should be Apache-2.0',
    'drivers/foo: type should be module',
    'drivers/foo: exports is missing',
    'drivers/foo: README.md is missing or empty',
  ]);
});

test('a published package has what its users need, and not its tests', (t) => {
  const published = {
    ...manifest,
    engines: { node: '>=20.9' },
    exports: { './package.json': './package.json' },
    files: ['dist', '!dist/**/*.test.*'],
    peerDependencies: { '@gantry/core': '^0.1.0' },
  };
  const files = { LICENSE: 'text', 'drivers/foo/LICENSE': 'text', 'drivers/foo/package.json': published };
  t.deepEqual(publishedPackagesAreComplete.check(treeOf(files)), []);
  const bare = { ...manifest, private: true, dependencies: { '@gantry/core': '0.1.0' } };
  t.deepEqual(publishedPackagesAreComplete.check(treeOf({ ...files, 'drivers/foo/package.json': bare })).length, 5);
  t.deepEqual(publishedPackagesAreComplete.check(treeOf({ ...files, LICENSE: 'other' })).length, 1);
  const unpublished = { 'test/foo/package.json': bare };
  t.deepEqual(publishedPackagesAreComplete.check(treeOf(unpublished)), []);
});

const building = (...references: string[]) =>
  treeOf({
    'core/package.json': { name: '@gantry/core' },
    'core/tsconfig.json': {},
    'drivers/lib-linux/package.json': { name: '@gantry/lib-linux' },
    'drivers/lib-linux/tsconfig.json': {},
    'drivers/foo/package.json': {
      name: '@gantry/foo',
      dependencies: { '@gantry/core': '0.1.0', '@gantry/lib-linux': '0.1.0', koa: '3' },
    },
    'drivers/foo/tsconfig.json': { references: references.map((path) => ({ path })) },
  });

test('build references that equal the workspace dependencies pass, spelt either way', (t) => {
  t.deepEqual(buildOrderFollowsDependencies.check(building('../../core', '../lib-linux')), []);
  t.deepEqual(buildOrderFollowsDependencies.check(building('../../core', '../../drivers/lib-linux')), []);
});

test('a missing and a needless build reference are breaches', (t) => {
  t.deepEqual(buildOrderFollowsDependencies.check(building('../../core', '../../plugins/volumes')), [
    'drivers/foo/tsconfig.json: no reference to drivers/lib-linux',
    'drivers/foo/tsconfig.json: needless reference to plugins/volumes',
  ]);
});

test('a package without a tsconfig.json is a breach', (t) => {
  t.deepEqual(buildOrderFollowsDependencies.check(treeOf({ 'drivers/foo/package.json': manifest })), [
    'drivers/foo: tsconfig.json is missing',
  ]);
});

test('a package that the root build leaves out is a breach', (t) => {
  const references = [{ path: './core' }, { path: './plugins/gone' }];
  const tree = treeOf({
    'tsconfig.json': { references },
    'core/src/a.ts': '',
    'drivers/foo/src/a.ts': '',
  });
  t.deepEqual(buildCoversEveryPackage.check(tree), [
    'tsconfig.json: no reference to drivers/foo',
    'tsconfig.json: needless reference to plugins/gone',
  ]);
});
