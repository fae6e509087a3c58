import { readdir, rm } from 'node:fs/promises';
import { type StorageDriver, StorageDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { ContainerDirectories } from '../container-directories.js';
import { ownerOfWritable } from '../mounts/image-writables.js';
import { MountPins } from '../mounts/mount-pins.js';
import { ContainerStore } from '../store/container-store.js';
import { isContainerId } from './is-container-id.js';

interface OrphanedFile {
  readonly name: string;
  remove(): Promise<void>;
}

/** Writable layers and directories without a container, and parts of mounts that an earlier daemon left mounted. */
@injectable()
export class OrphanedFiles {
  constructor(
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'has'>,
    @inject(StorageDrivers.token) private readonly storages: DriverSet<StorageDriver>,
    @inject(MountPins) private readonly pins: Pick<MountPins, 'orphans'>,
    @inject(ContainerDirectories) private readonly directories: ContainerDirectories,
  ) {}

  async find(): Promise<readonly OrphanedFile[]> {
    const isOrphaned = (id: string | undefined) => id !== undefined && isContainerId(id) && !this.store.has(id);
    const storages = [...this.storages.entries()].map(([, storage]) => storage);
    const writables = await Promise.all(
      storages.map(async (storage) => (await storage.writables()).map(({ id }) => ({ storage, id }))),
    );
    const layers = writables.flat().filter(({ id }) => isOrphaned(ownerOfWritable(id)));
    const directories = (await readdir(this.directories.root).catch(() => [])).filter(isOrphaned);
    return [
      ...(await this.pins.orphans()),
      ...layers.map(({ storage, id }) => ({ name: `writable ${id}`, remove: () => storage.removeWritable(id) })),
      ...directories.map((id) => ({
        name: id,
        remove: () => rm(this.directories.of(id), { recursive: true, force: true }),
      })),
    ];
  }
}
