import { Archive } from '@gantry/archive';
import { LayerStore } from '@gantry/archive/layer-store';
import type { DriverContext } from '@gantry/core/driver';
import { SpawnLauncher } from '@gantry/lib-linux/launcher';
import type { Mounts } from '@gantry/lib-linux/mounts';
import { OverlayStorage } from './overlay-storage.js';
import { probeOverlay } from './probe-overlay.js';

/** Finds out whether overlayfs works here, and makes the driver. @throws DriverSkipped when it does not. */
export async function openOverlayStorage(
  { dirs, lifetime, log }: Pick<DriverContext<unknown>, 'dirs' | 'lifetime' | 'log'>,
  mounts: Mounts,
): Promise<OverlayStorage> {
  const host = await probeOverlay(dirs.root, mounts);
  const archive = new Archive({ launcher: new SpawnLauncher() });
  lifetime.add(() => archive.close());
  const store = new LayerStore({ root: dirs.root, archive, log });
  return new OverlayStorage({ root: dirs.root, store, archive, mounts, host });
}
