import { ArchiveDrivers, StorageDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { LayerStore } from '@gantry/lib-archive/layer-store';
import { kernelMounts } from '@gantry/lib-linux/mounts';
import { configSchema } from './config.js';
import { OverlayHost, OverlayMounts, OverlayStorage } from './overlay-storage.js';
import { probeOverlay } from './probe-overlay.js';

export default defineDriver({
  id: 'overlayfs',
  provides: StorageDrivers,
  requires: [ArchiveDrivers],
  configSchema,
  async create({ container, dirs }) {
    container.registerValue(OverlayMounts, kernelMounts);
    container.registerValue(OverlayHost, await probeOverlay(dirs.root, kernelMounts));
    container.register(LayerStore);
    return OverlayStorage;
  },
});
