import archive from '@gantry/archive-worker-threads';
import { openDriver, storageDriverSuite } from '@gantry/conformance';
import test from 'ava';
import overlayfs from './index.js';

storageDriverSuite(test, () => openDriver(overlayfs, { requires: [archive] }));
