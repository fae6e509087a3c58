import { StateDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { configSchema } from './config.js';
import { EngineEventCounts } from './engine-event-counts.js';
import { EventLoopDelay } from './event-loop-delay.js';
import { Exposition } from './exposition.js';
import { Health } from './health.js';
import { MetricsLifecycle } from './metrics-lifecycle.js';
import { MetricsRoutes } from './metrics-routes.js';
import { OwnListener } from './own-listener.js';
import { RequestMetrics } from './request-metrics.js';

export default definePlugin({
  id: 'metrics',
  requires: [EngineApi, StateDrivers],
  configSchema,
  setup({ container }) {
    container.register(RequestMetrics, Exposition, Health, MetricsRoutes, OwnListener);
    container.registerHooks(EventLoopDelay, EngineEventCounts);
    return MetricsLifecycle;
  },
});
