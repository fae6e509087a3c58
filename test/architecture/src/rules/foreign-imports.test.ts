import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import {
  foreignFunctionsInOnePlace,
  injectionInTheKernel,
  koaAtTheSurface,
  onlyTheKernelResolves,
  processesThroughTheLauncher,
} from './foreign-imports.js';

test('koffi outside drivers/lib-linux is a breach', (t) => {
  const text = `import koffi from 'koffi';`;
  t.is(foreignFunctionsInOnePlace.check(treeOf({ 'drivers/foo/src/a.ts': text })).length, 1);
  t.is(foreignFunctionsInOnePlace.check(treeOf({ 'core/src/a.test.ts': text })).length, 1);
  t.deepEqual(foreignFunctionsInOnePlace.check(treeOf({ 'drivers/lib-linux/src/a.ts': text })), []);
});

test('starting a process from the daemon is a breach, from a test it is not', (t) => {
  const text = `import { spawn } from 'node:child_process';`;
  for (const path of ['core/src/a.ts', 'drivers/lib-linux/src/a.ts', 'plugins/foo/src/a.ts']) {
    t.deepEqual(processesThroughTheLauncher.check(treeOf({ [path]: text })), [
      `${path}:1: forking stalls the event loop: start it through the launcher of @gantry/lib-linux`,
    ]);
  }
  t.is(processesThroughTheLauncher.check(treeOf({ 'core/bin/gantryd': `require('child_process')` })).length, 1);
  t.deepEqual(processesThroughTheLauncher.check(treeOf({ 'drivers/lib-linux/src/a.test.ts': text })), []);
  t.deepEqual(processesThroughTheLauncher.check(treeOf({ 'test/host/src/a.ts': text })), []);
});

test('koa is allowed in core/src/http, in routes and as a type', (t) => {
  const text = `import Router from '@koa/router';`;
  t.is(koaAtTheSurface.check(treeOf({ 'plugins/foo/src/service.ts': text })).length, 1);
  t.is(koaAtTheSurface.check(treeOf({ 'core/src/kernel/a.ts': `import Koa from 'koa';` })).length, 1);
  t.is(koaAtTheSurface.check(treeOf({ 'plugins/foo/src/notroutes.ts': text })).length, 1);
  t.deepEqual(koaAtTheSurface.check(treeOf({ 'plugins/foo/src/routes.ts': text })), []);
  t.deepEqual(koaAtTheSurface.check(treeOf({ 'plugins/foo/src/attach-routes.ts': text })), []);
  t.deepEqual(koaAtTheSurface.check(treeOf({ 'core/src/http/api.ts': text })), []);
  t.deepEqual(koaAtTheSurface.check(treeOf({ 'plugins/foo/src/a.ts': `import type Router from '@koa/router';` })), []);
});

test('tsyringe outside the kernel is a breach, even as a type', (t) => {
  const text = `import type { DependencyContainer } from 'tsyringe';`;
  t.is(injectionInTheKernel.check(treeOf({ 'plugins/foo/src/a.ts': text })).length, 1);
  t.is(injectionInTheKernel.check(treeOf({ 'core/src/http/a.ts': text })).length, 1);
  t.deepEqual(injectionInTheKernel.check(treeOf({ 'core/src/kernel/a.ts': text })), []);
});

test('resolving from a container outside the kernel is a breach', (t) => {
  const text = 'const a = 1;\nconst store = context.container.resolve(Store);';
  t.deepEqual(onlyTheKernelResolves.check(treeOf({ 'plugins/foo/src/a.ts': text })), [
    'plugins/foo/src/a.ts:2: name it in the constructor with @inject',
  ]);
  t.deepEqual(onlyTheKernelResolves.check(treeOf({ 'core/src/kernel/a.ts': text })), []);
  t.deepEqual(onlyTheKernelResolves.check(treeOf({ 'core/src/a.ts': 'path.resolve(container);' })), []);
});
