import { StateDrivers, VolumeDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { DriverDeadline } from './driver-deadline.js';
import { MountedVolumes } from './mounted-volumes.js';
import { PruneVolumes } from './prune-volumes.js';
import { VolumeRoutes } from './routes.js';
import { VolumeService } from './service.js';
import { VolumesPlugin } from './volumes-plugin.js';
import { VolumesService } from './volumes-service.js';

export default definePlugin({
  id: 'volumes',
  provides: [VolumeService],
  requires: [EngineApi, StateDrivers, VolumeDrivers],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.registerValue(DriverDeadline, new DriverDeadline());
    container.register(MountedVolumes, VolumesService, PruneVolumes, VolumeRoutes);
    container.provide(VolumeService, VolumesService);
    return VolumesPlugin;
  },
});
