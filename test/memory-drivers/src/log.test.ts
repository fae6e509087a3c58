import { logDriverSuite, openDriver } from '@gantry/conformance';
import test from 'ava';
import { log } from './index.js';

logDriverSuite(test, () => openDriver(log));
