import { ArchiveDrivers, StateDrivers, StorageDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { ArchivePolicy } from './archive-policy.js';
import { AddImage } from './exchange/add-image.js';
import { CreateImage } from './exchange/create-image.js';
import { ImageExchange } from './exchange/image-exchange.js';
import { ImageExchangeService } from './exchange/image-exchange-service.js';
import { NameImage } from './exchange/name-image.js';
import { PullImage } from './exchange/pull-image.js';
import { ImageHistory } from './image-history.js';
import { ImagesLifecycle } from './images-lifecycle.js';
import { ImagesService } from './images-service.js';
import { ImportImage } from './import/import-image.js';
import { InspectImage } from './inspect-image.js';
import { LayerCollector } from './layers/layer-collector.js';
import { LayerStaging } from './layers/layer-staging.js';
import { LayersInUse } from './layers/layers-in-use.js';
import { OrphanedLayers } from './layers/orphaned-layers.js';
import { ListImages } from './list-images.js';
import { LoadImages } from './load/load-images.js';
import { Uploads } from './load/uploads.js';
import { MeasureImages } from './measure-images.js';
import { PruneImages } from './prune-images.js';
import { RegisteredUsers } from './registered-users.js';
import { RemoveImage } from './remove-image.js';
import { ArchiveRoutes } from './routes/archive-routes.js';
import { CreationRoutes } from './routes/creation-routes.js';
import { ImageRoutes } from './routes/image-routes.js';
import { InspectionRoutes } from './routes/inspection-routes.js';
import { NamingRoutes } from './routes/naming-routes.js';
import { SaveImages } from './save/save-images.js';
import { ImageArchives, ImageService, UnneededImages } from './service.js';
import { SharedSizes } from './shared-sizes.js';
import { ImageEvents } from './store/image-events.js';
import { ImageStore } from './store/image-store.js';
import { StoredUnneededImages } from './stored-unneeded-images.js';
import { TagImage } from './tag-image.js';

export default definePlugin({
  id: 'images',
  provides: [ImageService, ImageExchange, ImageArchives, UnneededImages],
  requires: [EngineApi, ArchivePolicy, ArchiveDrivers, StateDrivers, StorageDrivers],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.register(ImageStore, ImageEvents, RegisteredUsers);
    container.register(LayersInUse, LayerCollector, LayerStaging, OrphanedLayers, Uploads);
    container.register(
      ListImages,
      InspectImage,
      ImageHistory,
      TagImage,
      MeasureImages,
      SharedSizes,
      PruneImages,
      RemoveImage,
      ImportImage,
    );
    container.register(LoadImages, SaveImages, AddImage, CreateImage, NameImage, PullImage);
    container.register(ImagesService, ImageExchangeService, StoredUnneededImages);
    container.register(CreationRoutes, ArchiveRoutes, InspectionRoutes, NamingRoutes, ImageRoutes);
    container.provide(ImageService, ImagesService);
    container.provide(ImageExchange, ImageExchangeService);
    container.provide(ImageArchives, SaveImages);
    container.provide(UnneededImages, StoredUnneededImages);
    return ImagesLifecycle;
  },
});
