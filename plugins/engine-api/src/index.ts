import { definePlugin } from '@gantry/core/plugin';
import { configSchema } from './config.js';
import { openEngineApi } from './engine-api.js';
import { EngineApi } from './service.js';

export default definePlugin({
  id: 'engine-api',
  provides: [EngineApi],
  configSchema,
  setup({ config, lifetime, log, provide, dirs }) {
    const { service, ready, drain } = openEngineApi({ config, log, lifetime, directory: dirs.root });
    provide(EngineApi, service);
    return { ready, drain };
  },
});
