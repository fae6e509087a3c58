import { openDriver, stateDriverSuite } from '@gantry/conformance';
import test from 'ava';
import lmdb from './index.js';

stateDriverSuite(test, () => openDriver(lmdb));
