import { ContainerService } from '@gantry/containers/service';
import { Clock, definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { ContainerSamplers } from './container-samplers.js';
import { ContainerStats } from './container-stats.js';
import { MeasureContainers } from './measure-containers.js';
import { ContainerStatsRoutes } from './routes.js';
import { SystemCpuReader } from './system-cpu.js';

export default definePlugin({
  id: 'container-stats',
  requires: [EngineApi, ContainerService, Clock],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.register(SystemCpuReader, ContainerSamplers, ContainerStats);
    container.registerHooks(MeasureContainers);
    return ContainerStatsRoutes;
  },
});
