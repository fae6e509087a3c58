import { openDriver, volumeDriverSuite } from '@gantry/conformance';
import test from 'ava';
import { volume } from './index.js';

volumeDriverSuite(test, () => openDriver(volume));
