import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ApiHistory } from './api-history.js';
import { configSchema } from './config.js';

export default definePlugin({
  id: 'api-history',
  requires: [EngineApi],
  configSchema,
  setup: () => ApiHistory,
});
