import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { configSchema } from './config.js';
import { GreetingRoutes } from './greeting-routes.js';
import { GreetingsService } from './greetings-service.js';
import { Greetings } from './service.js';

export default definePlugin({
  id: 'greeting',
  provides: [Greetings],
  requires: [EngineApi],
  configSchema,
  setup({ container }) {
    container.registerHooks(GreetingsService);
    container.provide(Greetings, GreetingsService);
    return GreetingRoutes;
  },
});
