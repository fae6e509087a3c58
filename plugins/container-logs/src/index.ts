import { LogDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { configSchema } from './config.js';
import { ContainerLogsHooks } from './container-logs-hooks.js';
import { ContainerLogsService } from './container-logs-service.js';
import { KnownContainers } from './known-containers.js';
import { ContainerLogRoutes } from './routes.js';
import { ContainerLogs, LogSources } from './service.js';
import { defaultStallTimeouts, StallTimeouts } from './stall-timeouts.js';

export default definePlugin({
  id: 'container-logs',
  provides: [ContainerLogs, LogSources],
  requires: [EngineApi, LogDrivers],
  configSchema,
  setup({ container }) {
    container.registerValue(StallTimeouts, defaultStallTimeouts);
    container.register(KnownContainers, ContainerLogsService);
    container.registerHooks(ContainerLogsHooks, ContainerLogRoutes);
    container.provide(ContainerLogs, ContainerLogsService);
    container.provide(LogSources, KnownContainers);
  },
});
