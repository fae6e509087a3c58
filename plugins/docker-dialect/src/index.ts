import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { configSchema } from './config.js';
import { DockerDialect } from './docker-dialect.js';

export default definePlugin({
  id: 'docker-dialect',
  requires: [EngineApi],
  configSchema,
  setup: () => DockerDialect,
});
