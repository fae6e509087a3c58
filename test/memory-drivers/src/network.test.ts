import { networkDriverSuite, openDriver } from '@gantry/conformance';
import test from 'ava';
import { network, sandbox } from './index.js';

networkDriverSuite(test, () => openDriver(network), {
  sandboxes: () => openDriver(sandbox),
  badOptions: { 'memory.fail': 'yes' },
});
