import { StateDrivers, VolumeDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { DriverDeadline } from './driver-deadline.js';
import { VolumeRoutes } from './routes.js';
import { VolumeService } from './service.js';
import { VolumesService } from './volumes-service.js';

export default definePlugin({
  id: 'volumes',
  provides: [VolumeService],
  requires: [EngineApi, StateDrivers, VolumeDrivers],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.registerValue(DriverDeadline, new DriverDeadline());
    container.register(VolumesService);
    container.provide(VolumeService, VolumesService);
    return VolumeRoutes;
  },
});
