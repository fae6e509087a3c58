import { ArchiveDrivers, StorageDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { DriverSkipped } from '@gantry/core/errors';
import { LayerStore } from '@gantry/lib-archive/layer-store';
import { kernelProcesses } from '@gantry/lib-linux/processes';
import { configSchema } from './config.js';
import { VfsStorage } from './vfs-storage.js';

export default defineDriver({
  id: 'vfs',
  provides: StorageDrivers,
  requires: [ArchiveDrivers],
  configSchema,
  create({ container }) {
    if (!kernelProcesses.capabilities().has('CAP_SYS_CHROOT')) {
      throw new DriverSkipped('the vfs driver needs CAP_SYS_CHROOT to keep archives inside their directories');
    }
    container.register(LayerStore);
    return VfsStorage;
  },
});
