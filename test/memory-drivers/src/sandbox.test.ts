import { openDriver, sandboxDriverSuite } from '@gantry/conformance';
import test from 'ava';
import { sandbox } from './index.js';

sandboxDriverSuite(test, () => openDriver(sandbox));
