import { openDriver, storageDriverSuite } from '@gantry/conformance';
import test from 'ava';
import { storage } from './index.js';

storageDriverSuite(test, () => openDriver(storage));
