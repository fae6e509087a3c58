import { ArchiveDrivers, StorageDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { LayerIndex, LayerStore } from '@gantry/lib-archive/layer-store';
import { Files } from '@gantry/lib-linux/files';
import { Processes } from '@gantry/lib-linux/processes';
import { SELinux } from '@gantry/lib-linux/selinux';
import { configSchema } from './config.js';
import { RequiredCapability } from './required-capability.js';
import { VfsStorage } from './vfs-storage.js';

export default defineDriver({
  id: 'vfs',
  provides: StorageDrivers,
  requires: [ArchiveDrivers, Files, Processes, SELinux],
  configSchema,
  create({ container }) {
    container.register(LayerIndex);
    container.registerHooks(RequiredCapability, LayerStore);
    return VfsStorage;
  },
});
