import path from 'node:path';
import type { IpamDriver, LogDriver, NetworkDriver, VolumeDriver } from '@gantry/core/contracts';
import type { DriverSet, Logger } from '@gantry/core/driver';
import {
  type Protocol,
  RemoteAuthorization,
  RemoteIpam,
  RemoteLogs,
  RemoteNetworks,
  RemoteVolumes,
} from '@gantry/lib-plugin-protocol';
import type { ExternalPlugin, ExternalPlugins, Membership } from './service.js';

export interface Sets {
  readonly volumes: DriverSet<VolumeDriver>;
  readonly networks: DriverSet<NetworkDriver>;
  readonly ipam: DriverSet<IpamDriver>;
  readonly logs: DriverSet<LogDriver>;
}

/** One kind of driver that a plugin is. */
interface Part {
  readonly driver: { readonly inUse: number; learn?(): Promise<void> };
  /** What `inUse` counts. */
  readonly unit: string;
  join(): () => void;
}

/** All plugins, and the adapters that make them drivers. */
export class Catalog implements ExternalPlugins {
  readonly #authorizations = new Map<string, RemoteAuthorization>();

  /**
   * @param directories of FIFOs for plugins that see the host's files; and of what address managers gave out.
   * @param guards names of the plugins that every request is shown to.
   */
  constructor(
    private readonly sets: Sets,
    private readonly directories: { readonly logs: string; readonly addresses: string },
    private readonly log: Logger,
    private readonly guards: readonly string[] = [],
  ) {}

  /** By name or by another name of it. */
  authorization(name: string): RemoteAuthorization | undefined {
    return this.#authorizations.get(name);
  }

  add(plugin: ExternalPlugin): Membership {
    const parts = plugin.protocols.flatMap((protocol) => this.#partOf(plugin, protocol) ?? []);
    const releases: (() => void)[] = [];
    const leave = (): void => {
      for (const release of releases.splice(0).reverse()) release();
    };
    try {
      for (const part of parts) releases.push(part.join());
    } catch (error) {
      leave();
      throw error;
    }
    const isAuthorization = plugin.protocols.includes('authz');
    if (isAuthorization) releases.push(this.#joinAuthorization(plugin));
    const isGuard = isAuthorization && [plugin.name, ...plugin.aliases].some((name) => this.guards.includes(name));
    const facts = { event: 'plugin.joined', external: plugin.name, implements: plugin.protocols };
    this.log.info(facts, 'plugin joined');
    return {
      get inUse() {
        const used = parts.filter(({ driver }) => driver.inUse > 0);
        const uses = used.map(({ driver, unit }) => `${driver.inUse} ${unit}`);
        if (isGuard) uses.push('the authorization of requests');
        return uses.length === 0 ? undefined : uses.join(', ');
      },
      learn: async () => {
        await Promise.all(parts.map(({ driver }) => driver.learn?.()));
      },
      leave,
    };
  }

  #partOf(plugin: ExternalPlugin, protocol: Protocol): Part | undefined {
    const { client, fifoPlace = (name) => this.#sharedFifo(name), paths } = plugin;
    const part = <T, D extends T & Part['driver']>(set: DriverSet<T>, driver: D, unit: string): Part => ({
      driver,
      unit,
      join: () => joinSet(set, plugin, driver),
    });
    switch (protocol) {
      case 'VolumeDriver':
        return part(this.sets.volumes, new RemoteVolumes(client, paths), 'mounted volumes');
      case 'NetworkDriver':
        return part(this.sets.networks, new RemoteNetworks(client, this.log), 'networks');
      case 'IpamDriver':
        return part(this.sets.ipam, new RemoteIpam(client, this.#addressFile(plugin)), 'address pools');
      case 'LogDriver':
        return part(this.sets.logs, new RemoteLogs(client, fifoPlace), 'logs');
      default:
        return undefined;
    }
  }

  #joinAuthorization({ aliases, client, name }: ExternalPlugin): () => void {
    const authorization = new RemoteAuthorization(client);
    const names = [name, ...aliases].filter((each) => !this.#authorizations.has(each));
    for (const each of names) this.#authorizations.set(each, authorization);
    return () => {
      for (const each of names) this.#authorizations.delete(each);
    };
  }

  #addressFile({ name }: ExternalPlugin): string {
    return path.join(this.directories.addresses, `${encodeURIComponent(name)}.json`);
  }

  #sharedFifo(name: string) {
    const hostPath = path.join(this.directories.logs, name);
    return { hostPath, pluginPath: hostPath };
  }
}

function joinSet<T>(set: DriverSet<T>, { aliases, name }: ExternalPlugin, driver: T): () => void {
  const releases = [set.add(name, driver), ...aliases.map((alias) => set.alias(alias, name))];
  return () => {
    for (const release of releases) release();
  };
}
