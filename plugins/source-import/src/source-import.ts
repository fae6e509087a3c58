import { StateDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { HostedApi } from '@gantry/hosted-api/service';
import { Notifications } from '@gantry/notifications/service';
import { configSchema } from './config.js';
import type { Conversion } from './conversion.js';
import { openSourceImport } from './open-source-import.js';

/** The plugin, with what converts repositories for it. */
export const sourceImport = (conversion: Conversion) =>
  definePlugin({
    id: 'source-import',
    requires: [HostedApi, StateDrivers],
    after: [Notifications],
    configSchema,
    setup({ config, dirs, lifetime, log, optional, services }) {
      const [state, api] = [services.drivers(StateDrivers).get(), services.service(HostedApi)];
      const notifications = optional(Notifications);
      const directory = dirs.root;
      return openSourceImport({ config, state, api, notifications, conversion, directory, log, lifetime });
    },
  });
