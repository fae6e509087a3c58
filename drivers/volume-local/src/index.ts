import { VolumeDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Mounts } from '@gantry/lib-linux/mounts';
import { configSchema } from './config.js';
import { LocalVolumes } from './local-volumes.js';
import { VolumeDirectory } from './volume-directory.js';

export default defineDriver({
  id: 'local',
  provides: VolumeDrivers,
  requires: [Mounts],
  configSchema,
  create({ container }) {
    container.register(VolumeDirectory);
    return LocalVolumes;
  },
});
