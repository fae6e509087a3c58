import { rm } from 'node:fs/promises';
import path from 'node:path';
import { IpamDrivers, LogDrivers, NetworkDrivers, VolumeDrivers } from '@gantry/core/contracts';
import type { DriverLifecycle } from '@gantry/core/driver';
import type { PluginContext } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { authorize } from './authorization/authorize.js';
import { Catalog } from './catalog.js';
import type { ExternalPluginsConfig } from './config.js';
import { Discovery } from './discovery/discovery.js';
import { ExternalPlugins } from './service.js';

/** Puts the area together. `start` meets the plugins that are there. */
export async function openExternalPlugins(context: PluginContext<ExternalPluginsConfig>): Promise<DriverLifecycle> {
  const { config, dirs, lifetime, log, provide, services } = context;
  const sets = {
    volumes: services.drivers(VolumeDrivers),
    networks: services.drivers(NetworkDrivers),
    ipam: services.drivers(IpamDrivers),
    logs: services.drivers(LogDrivers),
  };
  const logs = path.join(dirs.state, 'logs');
  // FIFOs of an earlier daemon: whoever reads them has seen their end.
  await rm(logs, { recursive: true, force: true });
  const catalog = new Catalog(sets, { logs, addresses: path.join(dirs.root, 'addresses') }, log, config.authorization);
  provide(ExternalPlugins, catalog);
  const discovery = new Discovery({
    catalog,
    log,
    directories: { sockets: config.socketDirectories, specs: config.specDirectories },
    timeout: config.callTimeoutSeconds * 1000,
  });
  lifetime.add(() => discovery.stop());
  if (config.authorization.length > 0) {
    const middleware = authorize({
      plugins: config.authorization,
      find: (name) => catalog.authorization(name),
      bodyLimit: config.authorizationBodyBytes,
      log,
    });
    lifetime.add(services.service(EngineApi).use('authorize', middleware, { guards: config.authorization }));
  }
  return { start: () => discovery.start(config.startPatienceSeconds * 1000) };
}
