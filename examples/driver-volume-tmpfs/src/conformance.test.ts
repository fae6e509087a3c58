import { openDriver, volumeDriverSuite } from '@gantry/conformance';
import test from 'ava';
import tmpfs from './index.js';

volumeDriverSuite(test, () => openDriver(tmpfs), { volumeOptions: { size: '2m' }, forgets: true });
