import { Archive } from '@gantry/archive';
import { LayerStore } from '@gantry/archive/layer-store';
import type { DriverContext } from '@gantry/core/driver';
import { DriverSkipped } from '@gantry/core/errors';
import { SpawnLauncher } from '@gantry/lib-linux/launcher';
import { kernelProcesses } from '@gantry/lib-linux/processes';
import { VfsStorage } from './vfs-storage.js';

/** Makes the driver. @throws DriverSkipped without the right to confine a thread. */
export function openVfsStorage({
  dirs,
  lifetime,
  log,
}: Pick<DriverContext<unknown>, 'dirs' | 'lifetime' | 'log'>): VfsStorage {
  if (!kernelProcesses.capabilities().has('CAP_SYS_CHROOT')) {
    throw new DriverSkipped('the vfs driver needs CAP_SYS_CHROOT, to keep archives inside their directories');
  }
  const archive = new Archive({ launcher: new SpawnLauncher() });
  lifetime.add(() => archive.close());
  return new VfsStorage(new LayerStore({ root: dirs.root, archive, log }), archive);
}
