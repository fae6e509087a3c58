import { StateDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageExchange } from '@gantry/images/service';
import { registryConfig } from './config.js';
import { openRegistry } from './open-registry.js';
import { registryRoutes } from './routes.js';
import { RegistryClient } from './service.js';

export default definePlugin({
  id: 'registry',
  provides: [RegistryClient],
  requires: [EngineApi, ImageExchange, StateDrivers],
  configSchema: registryConfig,
  async setup({ config, dirs, events, lifetime, provide, services }) {
    const exchange = services.service(ImageExchange);
    const state = services.drivers(StateDrivers).get();
    const area = await openRegistry({ config, directory: dirs.root, events, exchange, lifetime, state });
    provide(RegistryClient, area.client);
    lifetime.add(exchange.setSource(area.puller));
    lifetime.add(services.service(EngineApi).routes('registry', (router) => registryRoutes(router, area)));
  },
});
