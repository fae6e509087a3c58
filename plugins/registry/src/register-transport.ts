import path from 'node:path';
import { Config, Lifetime, PackageDirectories, type PluginContainer, Semaphore } from '@gantry/core/plugin';
import type { RegistryConfig } from './config.js';
import { Downloads } from './pull/downloads.js';
import { BaseAddresses } from './remote/base-addresses.js';
import { Endpoints } from './remote/endpoints.js';
import { Connections } from './transport/connections.js';
import { InsecureHosts } from './transport/insecure-hosts.js';
import { TrustStore } from './transport/trust-store.js';

const idleTimeoutOf = ({ idleTimeoutSeconds }: RegistryConfig): number => idleTimeoutSeconds * 1000;
const retryOf = ({ attempts, retryDelayMilliseconds: delay }: RegistryConfig) => ({ attempts, delay });

/** Registers connections, endpoints and downloads, made as the configuration says. */
export function registerTransport(container: PluginContainer): void {
  container.registerFactory(Connections, [Config, Lifetime], (config: RegistryConfig, lifetime: Lifetime) => {
    const connections = new Connections(new TrustStore(config.certificateDirectory, config.certificateAuthorities));
    lifetime.add(() => connections.close());
    return connections;
  });
  container.registerFactory(
    InsecureHosts,
    [Config],
    (config: RegistryConfig) => new InsecureHosts(config.insecureRegistries),
  );
  container.registerFactory(
    BaseAddresses,
    [Connections, InsecureHosts, Config],
    (connections: Connections, insecure: InsecureHosts, config: RegistryConfig) =>
      new BaseAddresses(connections, insecure, idleTimeoutOf(config)),
  );
  container.registerFactory(
    Endpoints,
    [Config, Connections, InsecureHosts, BaseAddresses],
    (config: RegistryConfig, connections: Connections, insecure: InsecureHosts, bases: BaseAddresses) =>
      new Endpoints(config, {
        connections,
        insecure,
        bases,
        retry: retryOf(config),
        idleTimeout: idleTimeoutOf(config),
      }),
  );
  container.registerFactory(
    Downloads,
    [Config, PackageDirectories],
    (config: RegistryConfig, { root }: PackageDirectories) =>
      new Downloads({
        directory: path.join(root, 'blobs'),
        slots: new Semaphore(config.maxConcurrentDownloads),
        retry: retryOf(config),
        keep: { bytes: config.keepPartialBytes, age: config.keepPartialHours * 3_600_000 },
      }),
  );
}
