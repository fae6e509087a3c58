import { StateDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { HostedApi } from '@gantry/hosted-api/service';
import { configSchema } from './config.js';
import { openNotifications } from './open-notifications.js';
import { Notifications } from './service.js';

export default definePlugin({
  id: 'notifications',
  provides: [Notifications],
  requires: [HostedApi, StateDrivers],
  configSchema,
  async setup({ config, lifetime, log, provide, services }) {
    const [state, api] = [services.drivers(StateDrivers).get(), services.service(HostedApi)];
    const { service, ...hooks } = await openNotifications({ config, state, api, log, lifetime });
    provide(Notifications, service);
    return hooks;
  },
});
