import type { IpamDriver, NetworkDriver, SandboxDriver, StateDriver } from '@gantry/core/contracts';
import type { DriverSet, Lifetime, Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { EngineEvents } from '@gantry/core/plugin';
import { Addresses } from './addresses.js';
import { Networks } from './create-network.js';
import { Endpoints } from './endpoints.js';
import { StoredNetworks } from './network-service.js';
import { Resolvers } from './resolver/resolvers.js';
import type { NetworkArea } from './routes.js';
import { Sandboxes } from './sandboxes.js';
import { NetworkStore } from './store.js';

export interface NetworkParts {
  readonly state: StateDriver;
  readonly drivers: DriverSet<NetworkDriver>;
  readonly ipam: DriverSet<IpamDriver>;
  readonly sandboxes: SandboxDriver;
  readonly events: EngineEvents;
  readonly log: Logger;
  readonly lifetime: Lifetime;
  /** Subnet of the network called bridge; undefined: the address manager chooses. */
  readonly bridgeSubnet: string | undefined;
}

/** Puts the area together, takes the pools of known networks again, and makes the pre-defined ones that are missing. */
export async function openNetworks(parts: NetworkParts): Promise<NetworkArea> {
  const { drivers, events, log, sandboxes: sandboxDriver } = parts;
  const store = new NetworkStore(parts.state);
  await mend(store, log);
  const addresses = new Addresses(parts.ipam);
  const resolvers = new Resolvers(store, sandboxDriver, log);
  parts.lifetime.add(() => resolvers.closeAll());
  const networks = new Networks(store, drivers, addresses, events, log, (id) => service.isRunning(id));
  for (const network of store.networks()) {
    try {
      await addresses.restore(network);
    } catch (error) {
      log.error(
        { event: 'network.pools-taken', network: network.name, reason: messageOf(error) },
        'addresses not reserved',
      );
    }
  }
  for (const [name, driver] of predefined(drivers)) {
    if (store.byName(name).length > 0) continue;
    const subnet = name === 'bridge' ? parts.bridgeSubnet : undefined;
    await networks.make(
      {
        name,
        driver,
        checkDuplicate: true,
        internal: false,
        ipv6: false,
        // As clients find it on the network they expect to be there.
        options: name === 'bridge' ? { 'com.docker.network.bridge.default_bridge': 'true' } : {},
        labels: {},
        ipam: { driver: 'default', options: {} },
        pools: subnet === undefined ? [] : [{ subnet, auxiliary: {}, ipv6: false }],
      },
      true,
    );
  }
  const endpoints = new Endpoints({ store, drivers, addresses, events, log });
  const sandboxes = new Sandboxes({ store, endpoints, sandboxes: sandboxDriver, resolvers, log });
  const service = new StoredNetworks({ store, drivers, sandboxDriver, addresses, sandboxes, resolvers, log });
  return { store, networks, service, drivers };
}

/** A disk that takes nothing keeps no network from being used. */
async function mend(store: NetworkStore, log: Logger): Promise<void> {
  try {
    for (const { name } of await store.mend())
      log.warn(
        { event: 'network.recovered', network: name },
        'the record of a network was unreadable; its copy is used',
      );
  } catch (error) {
    log.error({ event: 'network.not-copied', reason: messageOf(error) }, 'records of networks could not be written');
  }
}

/** The network called bridge is the default driver's; host and none belong to the drivers that allow just one each. */
function predefined(drivers: DriverSet<NetworkDriver>): readonly (readonly [name: string, driver: string])[] {
  const own = [...drivers.entries()]
    .filter(([, driver]) => !driver.capabilities.userDefined)
    .map(([id]) => [id, id] as const);
  const { defaultId } = drivers;
  return defaultId === undefined ? own : [['bridge', defaultId], ...own];
}
