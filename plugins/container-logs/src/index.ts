import { LogDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { configSchema } from './config.js';
import { ContainerLogsLifecycle } from './container-logs-lifecycle.js';
import { ContainerLogsService } from './container-logs-service.js';
import { ContainerLogRoutes } from './routes.js';
import { ContainerLogs } from './service.js';
import { defaultStallTimeouts, StallTimeouts } from './stall-timeouts.js';

export default definePlugin({
  id: 'container-logs',
  provides: [ContainerLogs],
  requires: [EngineApi, LogDrivers],
  configSchema,
  setup({ container }) {
    container.registerValue(StallTimeouts, defaultStallTimeouts);
    container.register(ContainerLogsService, ContainerLogRoutes);
    container.provide(ContainerLogs, ContainerLogsService);
    return ContainerLogsLifecycle;
  },
});
