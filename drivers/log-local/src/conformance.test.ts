import { logDriverSuite, openDriver } from '@gantry/conformance';
import test from 'ava';
import local from './index.js';

logDriverSuite(test, () => openDriver(local));
logDriverSuite(test, () => openDriver(local, { config: { 'max-size': '1m', 'max-file': 20, compress: true } }), {
  label: 'rotating and compressing',
});
