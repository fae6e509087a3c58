import { join } from 'node:path';
import { VolumeDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { kernelMounts } from '@gantry/lib-linux/mounts';
import { configSchema } from './config.js';
import { LocalVolumes } from './local-volumes.js';
import { VolumeDirectory } from './volume-directory.js';

export default defineDriver({
  id: 'local',
  provides: VolumeDrivers,
  configSchema,
  create: ({ config, dirs, log }) =>
    new LocalVolumes(new VolumeDirectory(join(dirs.root, 'volumes')), kernelMounts, log, config.mountSeconds),
});
