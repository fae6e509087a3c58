import { ContainerLogs } from '@gantry/container-logs/service';
import { ArchiveDrivers, LogDrivers, RuntimeDrivers, StateDrivers, StorageDrivers } from '@gantry/core/contracts';
import { Clock, definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { EventReaders } from '@gantry/events/service';
import { ImageService } from '@gantry/images/service';
import { NetworkService } from '@gantry/networks/service';
import { VolumeService } from '@gantry/volumes/service';
import { stepsOf } from './areas/step-containers.js';
import { configSchema } from './containers-config.js';
import { openContainers } from './open-containers.js';
import { findOrphans } from './recovery/orphans.js';
import { ContainerRoots } from './roots/container-roots.js';
import { EngineContainerRoots } from './roots/engine-container-roots.js';
import { containerRoutes } from './routes.js';
import { ContainerService } from './service.js';
import { ContainerSteps } from './steps.js';

export default definePlugin({
  id: 'containers',
  provides: [ContainerService, ContainerSteps, ContainerRoots],
  requires: [
    EngineApi,
    ArchiveDrivers,
    StateDrivers,
    StorageDrivers,
    RuntimeDrivers,
    LogDrivers,
    ContainerLogs,
    Clock,
    ImageService,
    VolumeService,
    NetworkService,
  ],
  // Whoever keeps events hears of everything, and tells what an earlier daemon said.
  after: [EventReaders],
  configSchema,
  async setup(context) {
    const { area, start, ready, stop } = await openContainers(context);
    context.provide(ContainerService, area);
    context.provide(ContainerSteps, stepsOf(area.parts));
    context.provide(ContainerRoots, new EngineContainerRoots(area.parts));
    const api = context.services.service(EngineApi);
    context.lifetime.add(api.routes('containers', (router) => containerRoutes(router, area)));
    return { start, ready, stop, findOrphans: () => findOrphans(area.parts) };
  },
});
