import { logDriverSuite, openDriver } from '@gantry/conformance';
import test from 'ava';
import text from './index.js';

logDriverSuite(test, () => openDriver(text));
