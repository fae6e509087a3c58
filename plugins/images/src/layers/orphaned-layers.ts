import { type StorageDriver, StorageDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import type { Orphan } from '@gantry/core/plugin';
import { LayerCollector } from './layer-collector.js';

/** Finds layers that no image needs and no container uses, for `gantryd check`. */
@injectable()
export class OrphanedLayers {
  constructor(
    @inject(LayerCollector) private readonly collector: LayerCollector,
    @inject(StorageDrivers.token) private readonly storages: DriverSet<StorageDriver>,
  ) {}

  async findOrphans(): Promise<readonly Orphan[]> {
    const storage = this.storages.get();
    const orphans = await this.collector.orphans();
    if (orphans.length === 0) return [];
    const parents = new Map((await storage.layers()).map(({ id, parent }) => [id, parent]));
    const used = new Set<string>();
    for (const { parent } of await storage.writables()) {
      for (let id = parent; id !== undefined; id = parents.get(id)) used.add(id);
    }
    return Promise.all(
      orphans
        .filter(({ id }) => !used.has(id))
        .map(async ({ id }) => ({
          what: 'layer',
          name: id,
          reason: 'no image needs it',
          bytes: await storage.layerSize(id),
          remove: async () => {
            await this.collector.collect();
            if ((await storage.layers()).some((layer) => layer.id === id)) throw conflict(`layer ${id} is in use`);
          },
        })),
    );
  }
}
