import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { configSchema } from './config.js';
import { __Name__ } from './service.js';
import { StartsRoutes } from './starts-routes.js';
import { StartsService } from './starts-service.js';

export default definePlugin({
  id: '__id__',
  provides: [__Name__],
  requires: [EngineApi],
  configSchema,
  setup({ container }) {
    container.registerHooks(StartsService);
    container.provide(__Name__, StartsService);
    return StartsRoutes;
  },
});
