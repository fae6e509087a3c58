import { IpamDrivers, LogDrivers, NetworkDrivers, VolumeDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { KernelPlacement, protocolPorts } from '@gantry/lib-plugin-protocol';
import { AuthorizationMiddleware } from './authorization/authorization-middleware.js';
import { AuthorizationPlugins } from './authorization/authorization-plugins.js';
import { configSchema } from './config.js';
import { PluginDiscovery } from './discovery/plugin-discovery.js';
import { DriverAdapters } from './driver-adapters.js';
import { ExternalPluginsLifecycle } from './external-plugins-lifecycle.js';
import { ExternalPluginsService } from './external-plugins-service.js';
import { ExternalPlugins } from './service.js';

export default definePlugin({
  id: 'external-plugins',
  provides: [ExternalPlugins],
  requires: [EngineApi, ...protocolPorts],
  joins: [VolumeDrivers, NetworkDrivers, IpamDrivers, LogDrivers],
  configSchema,
  setup({ container }) {
    container.register(KernelPlacement, DriverAdapters, AuthorizationPlugins, AuthorizationMiddleware);
    container.register(ExternalPluginsService, PluginDiscovery);
    container.provide(ExternalPlugins, ExternalPluginsService);
    return ExternalPluginsLifecycle;
  },
});
