import { LogDrivers, RuntimeDrivers, StateDrivers, StorageDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageService } from '@gantry/images/service';
import { NetworkService } from '@gantry/networks/service';
import { VolumeService } from '@gantry/volumes/service';
import { Type } from '@sinclair/typebox';
import { openContainers } from './open-containers.js';
import { containerRoutes } from './routes.js';
import { ContainerService } from './service.js';

const configSchema = Type.Object({
  cgroupParent: Type.String({ default: '/gantry', description: 'parent of the control groups of containers' }),
  spoolFileBytes: Type.Integer({
    default: 32 * 2 ** 20,
    minimum: 2 ** 20,
    description: 'size of a file of output on its way to a log driver, after which the next is begun',
  }),
  spoolBacklogBytes: Type.Integer({
    default: 2 ** 30,
    minimum: 0,
    description: 'output of a container that may wait for its log driver; beyond, the oldest is lost; 0 is no limit',
  }),
});

export default definePlugin({
  id: 'containers',
  provides: [ContainerService],
  requires: [
    EngineApi,
    StateDrivers,
    StorageDrivers,
    RuntimeDrivers,
    LogDrivers,
    ImageService,
    VolumeService,
    NetworkService,
  ],
  configSchema,
  async setup(context) {
    const { area, start, ready, stop } = await openContainers(context);
    context.provide(ContainerService, area);
    const api = context.services.service(EngineApi);
    context.lifetime.add(api.routes('containers', (router) => containerRoutes(router, area)));
    return { start, ready, stop };
  },
});

export type ContainersConfig = typeof configSchema.static;
