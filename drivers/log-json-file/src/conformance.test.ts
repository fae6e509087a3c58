import { logDriverSuite, openDriver } from '@gantry/conformance';
import test from 'ava';
import jsonFile from './index.js';

logDriverSuite(test, () => openDriver(jsonFile));
logDriverSuite(test, () => openDriver(jsonFile, { config: { 'max-size': '1m', 'max-file': 20, compress: true } }), {
  label: 'rotating and compressing',
});
