import { logDriverSuite, openDriver } from '@gantry/conformance';
import test from 'ava';
import none from './index.js';

logDriverSuite(test, () => openDriver(none));
