import { VolumeDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { configSchema } from './config.js';
import { __Name__Volumes } from './volumes.js';

export default defineDriver({
  id: '__id__',
  provides: VolumeDrivers,
  configSchema,
  create: () => __Name__Volumes,
});
