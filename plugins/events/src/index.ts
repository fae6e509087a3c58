import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { configSchema } from './config.js';
import { EventHistory } from './event-history.js';
import { EventRoutes } from './event-routes.js';
import { EventService } from './event-service.js';
import { EventsLifecycle } from './events-lifecycle.js';
import { EventReaders } from './service.js';

export default definePlugin({
  id: 'events',
  provides: [EventReaders],
  requires: [EngineApi],
  configSchema,
  setup({ container }) {
    container.register(EventHistory, EventService, EventRoutes);
    container.provide(EventReaders, EventService);
    return EventsLifecycle;
  },
});
