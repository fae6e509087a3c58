import { readdir, rm, stat } from 'node:fs/promises';
import { type StorageDriver, StorageDrivers } from '@gantry/core/contracts';
import { Clock, type DriverSet, inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import type { Orphan } from '@gantry/core/plugin';
import { ContainerDirectories } from '../container-directories.js';
import { ownerOfWritable } from '../mounts/image-writables.js';
import { ContainerStore } from '../store/container-store.js';
import { isContainerId } from './is-container-id.js';

/** Milliseconds. Younger ones may belong to a create or a build that is running. */
const minAge = 24 * 60 * 60 * 1000;

/** Finds writable layers and directories without a container, untouched for a day. For `gantryd check`. */
@injectable()
export class OrphanFinder {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(StorageDrivers.token) private readonly storages: DriverSet<StorageDriver>,
    @inject(ContainerDirectories) private readonly directories: ContainerDirectories,
    @inject(Clock.token) private readonly clock: Clock,
  ) {}

  async find(): Promise<readonly Orphan[]> {
    return [...(await this.#layers()), ...(await this.#directories())];
  }

  async #layers(): Promise<Orphan[]> {
    const orphans: Orphan[] = [];
    for (const [, storage] of this.storages.entries()) {
      for (const { id } of await storage.writables()) {
        if (!this.#isOrphaned(ownerOfWritable(id)) || !(await this.#isOld(await pathOf(storage, id)))) continue;
        orphans.push(this.#orphan('writable layer', id, () => storage.removeWritable(id)));
      }
    }
    return orphans;
  }

  async #directories(): Promise<Orphan[]> {
    const orphans: Orphan[] = [];
    for (const id of await readdir(this.directories.root).catch(() => [])) {
      const directory = this.directories.of(id);
      if (!this.#isOrphaned(id) || !(await this.#isOld(directory))) continue;
      orphans.push(this.#orphan('container directory', id, () => rm(directory, { recursive: true, force: true })));
    }
    return orphans;
  }

  #isOrphaned(id: string | undefined): boolean {
    return id !== undefined && isContainerId(id) && !this.store.has(id);
  }

  async #isOld(file: string | undefined): Promise<boolean> {
    const status = file === undefined ? undefined : await stat(file).catch(() => undefined);
    return status !== undefined && Number(this.clock.now() / 1_000_000n) - status.mtimeMs > minAge;
  }

  #orphan(what: string, id: string, remove: () => Promise<void>): Orphan {
    return {
      what,
      name: id,
      reason: 'no container has it',
      remove: async () => {
        const owner = ownerOfWritable(id);
        if (!this.#isOrphaned(owner)) throw conflict(`container ${owner} has it`);
        await remove();
      },
    };
  }
}

/** The path of a writable layer, if its driver has one. */
const pathOf = async (storage: StorageDriver, id: string): Promise<string | undefined> =>
  (await storage.describe(id, 'writable').catch(() => ({ UpperDir: undefined }))).UpperDir;
