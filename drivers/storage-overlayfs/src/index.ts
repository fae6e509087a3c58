import { StorageDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { kernelMounts } from '@gantry/lib-linux/mounts';
import { configSchema } from './config.js';
import { openOverlayStorage } from './open-overlay-storage.js';

export default defineDriver({
  id: 'overlayfs',
  provides: StorageDrivers,
  configSchema,
  create: (context) => openOverlayStorage(context, kernelMounts),
});
