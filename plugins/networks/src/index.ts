import { IpamDrivers, NetworkDrivers, SandboxDrivers, StateDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { configSchema } from './config.js';
import { NetworksPlugin } from './networks-plugin.js';
import { NetworksService } from './networks-service.js';
import { registeredClasses } from './registered-classes.js';
import { NetworkService } from './service.js';

export default definePlugin({
  id: 'networks',
  provides: [NetworkService],
  requires: [EngineApi, StateDrivers, NetworkDrivers, IpamDrivers, SandboxDrivers],
  configSchema,
  setup({ container }) {
    container.register(...registeredClasses);
    container.provide(NetworkService, NetworksService);
    return NetworksPlugin;
  },
});
