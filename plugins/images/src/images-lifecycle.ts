import { inject, injectable } from '@gantry/core/driver';
import type { DriverLifecycle, Measurement, Orphan } from '@gantry/core/plugin';
import { LayerCollector } from './layers/layer-collector.js';
import { OrphanedLayers } from './layers/orphaned-layers.js';
import { Uploads } from './load/uploads.js';
import { ImageRoutes } from './routes/image-routes.js';
import { ImageStore } from './store/image-store.js';

/** Starts the area after removing what an earlier daemon left incomplete. */
@injectable()
export class ImagesLifecycle implements DriverLifecycle {
  constructor(
    @inject(Uploads) private readonly uploads: Uploads,
    @inject(LayerCollector) private readonly collector: LayerCollector,
    @inject(OrphanedLayers) private readonly orphanedLayers: OrphanedLayers,
    @inject(ImageRoutes) private readonly routes: ImageRoutes,
    @inject(ImageStore) private readonly store: ImageStore,
  ) {}

  async start(): Promise<void> {
    await this.uploads.clear();
    await this.collector.collect();
    await this.routes.start();
  }

  measure(): readonly Measurement[] {
    return [{ name: 'images', type: 'gauge', help: 'Images', values: [{ value: this.store.size }] }];
  }

  async findOrphans(): Promise<readonly Orphan[]> {
    return [...(await this.orphanedLayers.findOrphans()), ...(await this.uploads.findOrphans())];
  }
}
