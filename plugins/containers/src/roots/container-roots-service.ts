import type { PathChange } from '@gantry/core/contracts';
import { inject, injectable, pathExists } from '@gantry/core/driver';
import { ContainerDirectories } from '../container-directories.js';
import { ContainerDrivers } from '../container-drivers.js';
import type { ContainerRecord } from '../record.js';
import { joinedContainer } from '../sandbox/joined-container.js';
import { ContainerStore } from '../store/container-store.js';
import type { ContainerRoots, HeldRoot, NetworkFile } from './container-roots.js';
import { withoutOwnPlaces } from './own-places.js';
import { RootMounts } from './root-mounts.js';

/** Root file systems of the containers of this engine. */
@injectable()
export class ContainerRootsService implements ContainerRoots {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(RootMounts) private readonly mounts: RootMounts,
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ContainerDirectories) private readonly directories: ContainerDirectories,
  ) {}

  async hold(reference: string, options: { readonly volumes: boolean }): Promise<HeldRoot> {
    return this.mounts.hold(this.store.get(reference), options);
  }

  async networkFiles(containerId: string): Promise<readonly NetworkFile[]> {
    const { record } = this.store.get(containerId);
    if (!record.everStarted) return [];
    const directory = this.directories.of(this.#sandboxOwner(record)?.id ?? record.id);
    const files = ['hosts', 'hostname', 'resolv.conf'].map((name) => ({
      source: `${directory}/${name}`,
      target: `/etc/${name}`,
    }));
    const exist = await Promise.all(files.map(({ source }) => pathExists(source)));
    return files.filter((_, index) => exist[index]);
  }

  async changes(reference: string, options: { readonly signal: AbortSignal }): Promise<readonly PathChange[]> {
    const { record } = this.store.get(reference);
    return withoutOwnPlaces(await this.drivers.storageOf(record).changes(record.id, options));
  }

  /** The container whose network it is in. */
  #sandboxOwner(record: ContainerRecord): ContainerRecord | undefined {
    let owner: ContainerRecord | undefined = record;
    // A ring of containers cannot run, but it can be recorded.
    for (let steps = 0; owner !== undefined && steps < 16; steps++) {
      const other = joinedContainer(owner.hostConfig.NetworkMode);
      if (other === undefined) return owner;
      owner = this.#find(other);
    }
    return undefined;
  }

  #find(reference: string): ContainerRecord | undefined {
    try {
      return this.store.get(reference).record;
    } catch {
      return undefined;
    }
  }
}
