import { ContainerSteps } from '@gantry/containers/service';
import { ArchiveDrivers, StateDrivers, StorageDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageExchange, ImageService } from '@gantry/images/service';
import { Type } from '@sinclair/typebox';
import { Builder } from './builder.js';
import { openBuildParts } from './open-parts.js';
import { buildRoutes } from './routes.js';

export default definePlugin({
  id: 'build',
  requires: [EngineApi, ArchiveDrivers, StateDrivers, StorageDrivers, ContainerSteps, ImageService, ImageExchange],
  configSchema: Type.Object({}),
  async setup(context) {
    const builder = new Builder(await openBuildParts(context));
    const api = context.services.service(EngineApi);
    context.lifetime.add(api.routes('build', (router) => buildRoutes(router, builder)));
  },
});
