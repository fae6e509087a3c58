import { runtimeDriverSuite } from '@gantry/conformance';
import test from 'ava';
import { openTestRuntime } from './testing/open-test-runtime.js';
import { makeRootfs } from './testing/rootfs.js';

const rootfs = await makeRootfs();
test.after.always('the root file system goes', () => rootfs.remove());

// The other suite is of the runtime that is preferred here.
runtimeDriverSuite(test, () => openTestRuntime({ default: 'runc' }), { rootfs: rootfs.path, concurrency: 4 });
