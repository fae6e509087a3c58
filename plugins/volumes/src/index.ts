import { StateDrivers, VolumeDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { volumeRoutes } from './routes.js';
import { VolumeService } from './service.js';
import { Volumes } from './volumes.js';

export default definePlugin({
  id: 'volumes',
  provides: [VolumeService],
  requires: [EngineApi, StateDrivers, VolumeDrivers],
  configSchema: Type.Object({}),
  setup({ events, lifetime, log, provide, services }) {
    const volumes = new Volumes(services.drivers(StateDrivers).get(), services.drivers(VolumeDrivers), events, log);
    provide(VolumeService, volumes);
    lifetime.add(services.service(EngineApi).routes('volumes', (router) => volumeRoutes(router, volumes)));
  },
});
