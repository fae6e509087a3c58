import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import {
  coreKnowsNoPackage,
  driversKnowNoPlugin,
  kernelPortsAreInjected,
  packagesMeetByName,
  pluginsKnowContractsOnly,
  pluginsMeetAtServices,
  testCodeStaysInTests,
} from './workspace-imports.js';

/** A file that imports `specifier`, among one package of each role. */
const importing = (path: string, specifier: string, name = 'x') =>
  treeOf({
    'core/src/index.ts': '',
    'drivers/lib-linux/src/index.ts': '',
    'drivers/lib-archive/src/index.ts': '',
    'drivers/foo/src/index.ts': '',
    'drivers/bar/src/index.ts': '',
    'plugins/containers/src/index.ts': '',
    'plugins/volumes/src/index.ts': '',
    'test/memory-drivers/src/index.ts': '',
    [path]: `import { ${name} } from '${specifier}';`,
  });

test('core importing a driver or a plugin is a breach', (t) => {
  t.is(coreKnowsNoPackage.check(importing('core/src/a.ts', '@gantry/volumes')).length, 1);
  t.is(coreKnowsNoPackage.check(importing('core/src/a.ts', '@gantry/lib-linux')).length, 1);
  t.deepEqual(coreKnowsNoPackage.check(importing('core/src/a.ts', '@gantry/core/errors')), []);
  t.deepEqual(coreKnowsNoPackage.check(importing('core/src/a.test.ts', '@gantry/memory-drivers')), []);
});

test('a driver importing a plugin, another driver or HTTP is a breach', (t) => {
  t.is(driversKnowNoPlugin.check(importing('drivers/foo/src/a.ts', '@gantry/volumes/service')).length, 1);
  t.is(driversKnowNoPlugin.check(importing('drivers/foo/src/a.ts', '@gantry/bar')).length, 1);
  t.is(driversKnowNoPlugin.check(importing('drivers/foo/src/a.ts', '@gantry/core/http')).length, 1);
  t.is(driversKnowNoPlugin.check(importing('drivers/lib-archive/src/a.ts', '@gantry/foo')).length, 1);
  t.deepEqual(driversKnowNoPlugin.check(importing('drivers/foo/src/a.ts', '@gantry/lib-linux')), []);
  t.deepEqual(driversKnowNoPlugin.check(importing('drivers/foo/src/a.ts', '@gantry/lib-archive')), []);
  t.deepEqual(driversKnowNoPlugin.check(importing('drivers/foo/src/a.ts', '@gantry/core/contracts')), []);
});

test('a plugin importing more of another plugin than its service is a breach', (t) => {
  t.deepEqual(pluginsMeetAtServices.check(importing('plugins/containers/src/a.ts', '@gantry/volumes')), [
    'plugins/containers/src/a.ts:1: import @gantry/volumes/service instead',
  ]);
  t.deepEqual(pluginsMeetAtServices.check(importing('plugins/containers/src/a.ts', '@gantry/volumes/service')), []);
  t.deepEqual(pluginsMeetAtServices.check(importing('plugins/containers/src/a.ts', '@gantry/containers')), []);
});

test('a plugin importing a driver is a breach, a library is not', (t) => {
  t.is(pluginsKnowContractsOnly.check(importing('plugins/volumes/src/a.ts', '@gantry/foo')).length, 1);
  t.deepEqual(pluginsKnowContractsOnly.check(importing('plugins/volumes/src/a.ts', '@gantry/lib-archive')), []);
  t.deepEqual(pluginsKnowContractsOnly.check(importing('plugins/volumes/src/a.test.ts', '@gantry/foo')), []);
});

test('importing the implementation of a kernel port is a breach, its token is not', (t) => {
  const check = (path: string, name: string) =>
    kernelPortsAreInjected.check(importing(path, '@gantry/lib-linux/mounts', name)).length;
  t.is(check('plugins/volumes/src/a.ts', 'kernelMounts'), 1);
  t.is(check('plugins/volumes/src/a.ts', 'kernelMounts as mounts'), 1);
  t.is(check('plugins/volumes/src/a.ts', 'Mounts'), 0);
  t.is(check('plugins/volumes/src/a.test.ts', 'kernelMounts'), 0);
  t.is(check('drivers/foo/src/a.ts', 'kernelMounts'), 1);
  t.is(check('drivers/lib-archive/src/a.ts', 'SpawnLauncher'), 1);
  t.is(check('drivers/archive-worker-threads/src/a.ts', 'kernelFiles'), 1);
  t.is(check('drivers/archive-worker-threads/src/worker/a.ts', 'kernelFiles'), 1);
});

test('running code that imports a test package is a breach', (t) => {
  t.is(testCodeStaysInTests.check(importing('plugins/volumes/src/a.ts', '@gantry/memory-drivers')).length, 1);
  t.deepEqual(testCodeStaysInTests.check(importing('plugins/volumes/src/a.test.ts', '@gantry/memory-drivers')), []);
  t.deepEqual(testCodeStaysInTests.check(importing('test/api/src/a.ts', '@gantry/memory-drivers')), []);
});

test('running code that imports the support of a test is a breach, the test itself may', (t) => {
  const support = { 'core/src/test-server.ts': '', 'core/src/testing/harness.ts': '' };
  for (const specifier of ['./test-server.js', './testing/harness.js']) {
    const text = `import { x } from '${specifier}';`;
    t.is(testCodeStaysInTests.check(treeOf({ ...support, 'core/src/a.ts': text })).length, 1);
    t.deepEqual(testCodeStaysInTests.check(treeOf({ ...support, 'core/src/a.test.ts': text })), []);
  }
});

test('a relative import that leaves the package is a breach', (t) => {
  t.is(packagesMeetByName.check(importing('drivers/foo/src/a.ts', '../../bar/src/index.js')).length, 1);
  t.is(packagesMeetByName.check(importing('drivers/foo/src/a.ts', '../../../core/src/kernel/kernel.js')).length, 1);
  t.deepEqual(packagesMeetByName.check(importing('drivers/foo/src/deep/a.ts', '../b.js')), []);
});
