import { VolumeDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Mounts } from '@gantry/lib-linux/mounts';
import { configSchema } from './config.js';
import { TmpfsVolumes } from './tmpfs-volumes.js';

export default defineDriver({
  id: 'tmpfs',
  provides: VolumeDrivers,
  requires: [Mounts],
  configSchema,
  create: () => TmpfsVolumes,
});
