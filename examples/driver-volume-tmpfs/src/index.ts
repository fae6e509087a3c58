import { VolumeDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { kernelMounts } from '@gantry/lib-linux/mounts';
import { Type } from '@sinclair/typebox';
import { TmpfsVolumes } from './tmpfs-volumes.js';

export default defineDriver({
  id: 'tmpfs',
  provides: VolumeDrivers,
  configSchema: Type.Object(
    { size: Type.String({ default: '64m', description: 'of a volume made without the option "size"' }) },
    { additionalProperties: false },
  ),
  create: ({ config, dirs }) => new TmpfsVolumes(dirs, config.size, kernelMounts),
});
