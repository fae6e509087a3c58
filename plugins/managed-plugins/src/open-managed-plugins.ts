import { ArchiveDrivers, RuntimeDrivers, StateDrivers } from '@gantry/core/contracts';
import type { DriverLifecycle } from '@gantry/core/driver';
import type { PluginContext } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ExternalPlugins } from '@gantry/external-plugins/service';
import { RegistryClient } from '@gantry/registry/service';
import type { ManagedPluginsConfig } from './config.js';
import { ManagedPlugins } from './managed-plugins.js';
import { pluginRoutes } from './routes.js';

/** Puts the area together. `start` brings enabled plugins back. */
export function openManagedPlugins(context: PluginContext<ManagedPluginsConfig>): DriverLifecycle {
  const { config, dirs, events, lifetime, log, services } = context;
  const runtime = services.drivers(RuntimeDrivers).get();
  const plugins = new ManagedPlugins({
    runtime,
    archive: services.drivers(ArchiveDrivers).get(),
    config,
    directories: dirs,
    events,
    external: services.service(ExternalPlugins),
    log,
    registry: services.service(RegistryClient),
    state: services.drivers(StateDrivers).get(),
  });
  lifetime.add(() => plugins.stop());
  lifetime.add(runtime.onExit(({ exitCode, id }) => plugins.exited(id, exitCode)));
  lifetime.add(services.service(EngineApi).routes('managed-plugins', (router) => pluginRoutes(router, plugins)));
  return { start: () => plugins.start(config.startPatienceSeconds * 1000) };
}
