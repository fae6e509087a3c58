import { IpamDrivers, LogDrivers, NetworkDrivers, VolumeDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { KernelPlacement, protocolPorts } from '@gantry/lib-plugin-protocol';
import { DriverAdapters } from './adapters/driver-adapters.js';
import { IpamAdapter } from './adapters/ipam-adapter.js';
import { LogAdapter } from './adapters/log-adapter.js';
import { NetworkAdapter } from './adapters/network-adapter.js';
import { VolumeAdapter } from './adapters/volume-adapter.js';
import { AuthorizationMiddleware } from './authorization/authorization-middleware.js';
import { AuthorizationPlugins } from './authorization/authorization-plugins.js';
import { configSchema } from './config.js';
import { PluginDiscovery } from './discovery/plugin-discovery.js';
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
    container.register(KernelPlacement, VolumeAdapter, NetworkAdapter, IpamAdapter, DriverAdapters);
    container.registerHooks(LogAdapter);
    container.register(AuthorizationPlugins, AuthorizationMiddleware);
    container.register(ExternalPluginsService, PluginDiscovery);
    container.provide(ExternalPlugins, ExternalPluginsService);
    return ExternalPluginsLifecycle;
  },
});
