import { openDriver, volumeDriverSuite } from '@gantry/conformance';
import test from 'ava';
import local from './index.js';

volumeDriverSuite(test, () => openDriver(local));
volumeDriverSuite(test, () => openDriver(local), {
  label: 'tmpfs',
  volumeOptions: { type: 'tmpfs', device: 'tmpfs', o: 'size=4m,mode=750' },
  forgets: true,
});
