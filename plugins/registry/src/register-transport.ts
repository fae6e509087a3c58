import { Config, Lifetime, type PluginContainer } from '@gantry/core/plugin';
import type { RegistryConfig } from './config.js';
import { RegistrySettings } from './registry-settings.js';
import { BaseAddresses } from './remote/base-addresses.js';
import { Endpoints } from './remote/endpoints.js';
import { RegistryTransport } from './remote/registry-transport.js';
import { Connections } from './transport/connections.js';
import { TrustStore } from './transport/trust-store.js';

/** Registers connections and endpoints, made as the configuration says. */
export function registerTransport(container: PluginContainer): void {
  container.registerFactory(Connections, [Config, Lifetime], (config: RegistryConfig, lifetime: Lifetime) => {
    const connections = new Connections(new TrustStore(config.certificateDirectory, config.certificateAuthorities));
    lifetime.add(() => connections.close());
    return connections;
  });
  container.registerFactory(
    BaseAddresses,
    [Connections, RegistrySettings, Config],
    (connections: Connections, settings: RegistrySettings, config: RegistryConfig) =>
      new BaseAddresses(connections, settings, config.idleTimeoutSeconds * 1000),
  );
  container.register(RegistrySettings, RegistryTransport, Endpoints);
}
