import { VolumeDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { kernelMounts } from '@gantry/linux/mounts';
import { configSchema } from './config.js';
import { LocalVolumes } from './local-volumes.js';

export default defineDriver({
  id: 'local',
  provides: VolumeDrivers,
  configSchema,
  create: ({ config, dirs, log }) => new LocalVolumes({ root: dirs.root, mounts: kernelMounts, log, ...config }),
});
