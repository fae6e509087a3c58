import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import { dependenciesAreDeclared, dependenciesAreUsed } from './dependencies.js';

const project = (manifest: object, files: Record<string, string>) =>
  treeOf({
    'package.json': { devDependencies: { ava: '7', '@types/koa': '3', '@types/koa__router': '1' } },
    'drivers/foo/package.json': { name: '@gantry/foo', ...manifest },
    ...files,
  });

test('importing what is not declared is a breach', (t) => {
  const tree = project(
    {},
    { 'drivers/foo/src/a.ts': `import x from 'x';\nimport y from 'node:fs';\nimport './b.js';` },
  );
  t.deepEqual(dependenciesAreDeclared.check(tree), [
    'drivers/foo/src/a.ts:1: x is not in the dependencies of drivers/foo/package.json',
  ]);
});

test('running code may not live on development dependencies', (t) => {
  const tree = project({ devDependencies: { x: '1' } }, { 'drivers/foo/src/a.ts': `import 'x'; import 'ava';` });
  t.is(dependenciesAreDeclared.check(tree).length, 2);
});

test('a test may import what the root installs, and needs the rest declared', (t) => {
  const tree = project(
    { devDependencies: { x: '1' } },
    { 'drivers/foo/src/a.test.ts': `import 'ava'; import 'x'; import 'y';` },
  );
  t.deepEqual(dependenciesAreDeclared.check(tree), [
    'drivers/foo/src/a.test.ts:1: y is not in the devDependencies of drivers/foo/package.json',
  ]);
});

test('types that the root installs need no declaration', (t) => {
  const text = `import type Koa from 'koa'; import type Router from '@koa/router';`;
  t.deepEqual(dependenciesAreDeclared.check(project({}, { 'drivers/foo/src/a.ts': text })), []);
});

test('declaring what nothing imports is a breach', (t) => {
  const manifest = { dependencies: { x: '1', y: '1' }, devDependencies: { z: '1' } };
  const tree = project(manifest, {
    'drivers/foo/src/a.ts': `import 'x';`,
    'drivers/foo/src/a.test.ts': `import 'y';`,
  });
  t.deepEqual(dependenciesAreUsed.check(tree), [
    'drivers/foo/package.json: y is a dependency that no code imports',
    'drivers/foo/package.json: z is a development dependency that nothing imports',
  ]);
});

test('a package that is loaded by its name counts as used', (t) => {
  const manifest = { dependencies: { '@gantry/volumes': '0.1.0' } };
  const tree = project(manifest, { 'drivers/foo/src/a.ts': `export const packages = ['@gantry/volumes'];` });
  t.deepEqual(dependenciesAreUsed.check(tree), []);
});

test('a package that another dependency asks its user for counts as used', (t) => {
  const tree = treeOf({
    'package-lock.json': { packages: { 'node_modules/router': { peerDependencies: { koa: '3' } } } },
    'core/package.json': { name: '@gantry/core', dependencies: { router: '1', koa: '3' } },
    'core/src/a.ts': `import 'router';`,
  });
  t.deepEqual(dependenciesAreUsed.check(tree), []);
});
