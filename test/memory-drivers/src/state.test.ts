import { openDriver, stateDriverSuite } from '@gantry/conformance';
import test from 'ava';
import { state } from './index.js';

stateDriverSuite(test, () => openDriver(state));
