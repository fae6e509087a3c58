import { hostname } from 'node:os';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { EventService } from './event-service.js';
import { EventHistory } from './history.js';
import { lostEvent } from './lost-event.js';
import { eventRoutes } from './routes.js';
import { EventReaders } from './service.js';

export default definePlugin({
  id: 'events',
  provides: [EventReaders],
  requires: [EngineApi],
  configSchema: Type.Object({
    segmentBytes: Type.Integer({ default: 2 ** 20, minimum: 4096, description: 'of one file of the history' }),
    segments: Type.Integer({ default: 4, minimum: 2, description: 'files of the history that are kept' }),
  }),
  async setup({ config, dirs, events, lifetime, log, provide, services }) {
    const history = new EventHistory({
      ...config,
      directory: dirs.root,
      lost: (events) => lostEvent(hostname(), events),
      onFault: (error) => log.error({ event: 'events.not-kept', error }, 'events could not be written to the history'),
    });
    await history.start();
    lifetime.add(() => history.flush());
    lifetime.add(events.keepPast(() => history.newest()));
    const service = new EventService(history, events, hostname());
    provide(EventReaders, service);
    lifetime.add(services.service(EngineApi).routes('events', (router) => eventRoutes(router, service)));
  },
});
