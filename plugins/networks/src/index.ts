import { IpamDrivers, NetworkDrivers, SandboxDrivers, StateDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { openNetworks } from './open-networks.js';
import { networkRoutes } from './routes.js';
import { NetworkService } from './service.js';

export default definePlugin({
  id: 'networks',
  provides: [NetworkService],
  requires: [EngineApi, StateDrivers, NetworkDrivers, IpamDrivers, SandboxDrivers],
  configSchema: Type.Object({
    bridgeSubnet: Type.Optional(
      Type.String({ description: 'CIDR of the network called bridge, used when it is first made' }),
    ),
  }),
  async setup({ config, events, lifetime, log, provide, services }) {
    const area = await openNetworks({
      events,
      log,
      lifetime,
      state: services.drivers(StateDrivers).get(),
      drivers: services.drivers(NetworkDrivers),
      ipam: services.drivers(IpamDrivers),
      sandboxes: services.drivers(SandboxDrivers).get(),
      bridgeSubnet: config.bridgeSubnet,
    });
    provide(NetworkService, area.service);
    lifetime.add(services.service(EngineApi).routes('networks', (router) => networkRoutes(router, area)));
  },
});
