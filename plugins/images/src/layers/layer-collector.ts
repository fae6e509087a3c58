import { type StorageDriver, StorageDrivers, type StoredLayer } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { ImageStore } from '../store/image-store.js';
import { LayersInUse } from './layers-in-use.js';
import { topDown } from './top-down.js';

/** Removes layers that no image needs. */
@injectable()
export class LayerCollector {
  readonly #storage: StorageDriver;

  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(LayersInUse) private readonly inUse: LayersInUse,
    @inject(StorageDrivers.token) storages: DriverSet<StorageDriver>,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.#storage = storages.get();
  }

  /** Chain IDs, from the top down, of the layers that only the given images need. */
  unneededWithout(images: ReadonlySet<string>): readonly string[] {
    const needed = new Set<string>();
    for (const image of this.store.images()) {
      if (images.has(image.record.id)) continue;
      for (const chainId of image.chainIds) needed.add(chainId);
    }
    const unneeded = [...this.store.layers()].filter(({ chainId }) => !needed.has(chainId) && !this.inUse.has(chainId));
    return topDown(unneeded);
  }

  /**
   * Removes layers from the storage driver. A layer that a container still uses stays; the next `collect` finds it as an
   * orphan. Resolves to the ids of the layers that stayed.
   */
  async discard(storageIds: readonly string[]): Promise<readonly string[]> {
    const kept: string[] = [];
    for (const id of storageIds) {
      try {
        await this.#storage.removeLayer(id);
      } catch (error) {
        kept.push(id);
        this.log.debug({ event: 'layer.kept', layer: id, error }, 'layer is still in use');
      }
    }
    return kept;
  }

  /** Removes every layer that no image needs, and its record. @returns how many the storage driver was asked to remove. */
  async collect(): Promise<number> {
    if (!this.store.isComplete) return 0;
    const unneeded = this.unneededWithout(new Set());
    if (unneeded.length > 0) await this.store.remove({ layers: unneeded });
    const orphans = await this.orphans();
    const parents = new Map(orphans.map(({ id, parent }) => [id, parent]));
    const depth = (id: string): number => {
      const parent = parents.get(id);
      return parent === undefined ? 0 : 1 + depth(parent);
    };
    const deepestFirst = orphans.map(({ id }) => ({ id, depth: depth(id) })).sort((a, b) => b.depth - a.depth);
    await this.discard(deepestFirst.map(({ id }) => id));
    return orphans.length;
  }

  /**
   * Layers of the storage driver that no image needs, including those a container still uses. Empty while a record is
   * quarantined: the layers it names may still be needed.
   */
  async orphans(): Promise<readonly StoredLayer[]> {
    if (!this.store.isComplete) return [];
    const present = await this.#storage.layers();
    const unneeded = new Set(this.unneededWithout(new Set()));
    const needed = [...this.store.layers()].filter(({ chainId }) => !unneeded.has(chainId));
    const known = new Set([...this.inUse.unrecorded, ...needed.map(({ storageId }) => storageId)]);
    return present.filter(({ id }) => !known.has(id));
  }
}
