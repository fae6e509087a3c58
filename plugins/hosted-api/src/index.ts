import { StateDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { configSchema } from './config.js';
import { openHostedApi } from './hosted-api.js';
import { HostedApi } from './service.js';

export default definePlugin({
  id: 'hosted-api',
  provides: [HostedApi],
  requires: [StateDrivers],
  configSchema,
  async setup({ config, dirs, lifetime, log, provide, services }) {
    const state = services.drivers(StateDrivers).get();
    const { service, ready, drain } = await openHostedApi({ config, state, runDirectory: dirs.state, log, lifetime });
    provide(HostedApi, service);
    return { ready, drain };
  },
});
