import { Archive } from '@gantry/archive';
import { StateDrivers, StorageDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { ImageExchange } from './exchange.js';
import { openImages } from './open-images.js';
import { imageRoutes } from './routes.js';
import { ImageService } from './service.js';

export default definePlugin({
  id: 'images',
  provides: [ImageService, ImageExchange],
  requires: [EngineApi, StateDrivers, StorageDrivers],
  configSchema: Type.Object({}),
  async setup({ dirs, events, lifetime, log, provide, services }) {
    const storage = services.drivers(StorageDrivers);
    const archives = new Archive();
    lifetime.add(() => archives.close());
    const area = await openImages({
      archives,
      directory: dirs.root,
      events,
      log,
      state: services.drivers(StateDrivers).get(),
      storage: storage.get(),
      storageId: storage.defaultId ?? '',
    });
    provide(ImageService, area.service);
    provide(ImageExchange, area.exchange);
    lifetime.add(services.service(EngineApi).routes('images', (router) => imageRoutes(router, area)));
    return { findOrphans: () => area.findOrphans() };
  },
});
