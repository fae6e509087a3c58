import { networkDriverSuite, openDriver } from '@gantry/conformance';
import { sandbox } from '@gantry/memory-drivers';
import test from 'ava';
import driver from './index.js';

networkDriverSuite(test, () => openDriver(driver), { sandboxes: () => openDriver(sandbox) });
