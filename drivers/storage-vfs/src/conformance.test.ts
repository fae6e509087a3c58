import archive from '@gantry/archive-worker-threads';
import { openDriver, storageDriverSuite } from '@gantry/conformance';
import test from 'ava';
import vfs from './index.js';

storageDriverSuite(test, () => openDriver(vfs, { requires: [archive] }));
