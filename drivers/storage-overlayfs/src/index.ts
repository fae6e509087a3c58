import { ArchiveDrivers, StorageDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { LayerIndex, LayerStore } from '@gantry/lib-archive/layer-store';
import { Files } from '@gantry/lib-linux/files';
import { Mounts } from '@gantry/lib-linux/mounts';
import { ProjectQuotas } from '@gantry/lib-linux/quotas';
import { SELinux } from '@gantry/lib-linux/selinux';
import { configSchema } from './config.js';
import { OverlayHost } from './overlay-host.js';
import { OverlayProbe } from './overlay-probe.js';
import { OverlayRoots } from './overlay-roots.js';
import { OverlayStorage } from './overlay-storage.js';

export default defineDriver({
  id: 'overlayfs',
  provides: StorageDrivers,
  requires: [ArchiveDrivers, Files, Mounts, ProjectQuotas, SELinux],
  configSchema,
  create({ container }) {
    container.register(LayerIndex, OverlayProbe, OverlayRoots);
    container.registerHooks(OverlayHost, LayerStore);
    return OverlayStorage;
  },
});
