import path from 'node:path';
import { ContainerService } from '@gantry/containers/service';
import { LogDrivers, NetworkDrivers, RuntimeDrivers, StorageDrivers, VolumeDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { EventReaders } from '@gantry/events/service';
import { ImageService } from '@gantry/images/service';
import { Type } from '@sinclair/typebox';
import { readEngineId } from './engine-id.js';
import { readHostFacts } from './host-facts.js';
import { systemRoutes } from './routes.js';
import { SystemService } from './system-service.js';

export default definePlugin({
  id: 'system',
  requires: [
    EngineApi,
    EventReaders,
    ImageService,
    ContainerService,
    RuntimeDrivers,
    StorageDrivers,
    NetworkDrivers,
    VolumeDrivers,
    LogDrivers,
  ],
  configSchema: Type.Object({
    labels: Type.Array(Type.String(), { default: [], description: 'what info shows as Labels, key=value each' }),
    debug: Type.Boolean({ default: false, description: 'what info shows as Debug' }),
  }),
  async setup({ config, dirs, lifetime, services }) {
    const api = services.service(EngineApi);
    const [host, engineId] = await Promise.all([readHostFacts(), readEngineId(dirs.root)]);
    const system = new SystemService(
      {
        api,
        host,
        engineId,
        // The kernel's data root, under which every package has its own directory.
        dataRoot: path.dirname(path.dirname(dirs.root)),
        containers: services.service(ContainerService),
        images: services.service(ImageService),
        readers: services.service(EventReaders),
        runtimes: services.drivers(RuntimeDrivers),
        storages: services.drivers(StorageDrivers),
        networks: services.drivers(NetworkDrivers),
        volumes: services.drivers(VolumeDrivers),
        logs: services.drivers(LogDrivers),
      },
      config,
    );
    lifetime.add(api.routes('system', (router) => systemRoutes(router, system)));
    return {
      reconfigure: async (changed) => {
        system.settings = changed;
      },
    };
  },
});
