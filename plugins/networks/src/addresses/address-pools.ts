import { type IpamDriver, IpamDrivers, type NetworkPool, type NetworkSpec } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, KeyedMutex } from '@gantry/core/driver';
import { EngineError, forbidden, internal, invalidArgument, unavailable } from '@gantry/core/errors';
import { withoutPrefix } from '@gantry/lib-network';
import type { NetworkRecord, PoolRecord, PoolRequirement } from '../store/records.js';

/**
 * Pools and addresses of networks, allocated by the IPAM drivers. Pool ids belong to the driver and are not persisted:
 * after a restart every pool and address is requested again.
 */
@injectable()
export class AddressPools {
  /** Pool id by network id and subnet. */
  readonly #pools = new Map<string, string>();
  /** By network id: concurrent uses reserve the pools of a network once. */
  readonly #restoring = new KeyedMutex();

  constructor(@inject(IpamDrivers.token) private readonly drivers: DriverSet<IpamDriver>) {}

  /** Reserves the pools of a new network, their gateways and auxiliary addresses. On rejection none is reserved. */
  async reserve(
    networkId: string,
    ipam: NetworkRecord['ipam'],
    requirements: readonly PoolRequirement[],
  ): Promise<readonly PoolRecord[]> {
    const driver = await this.#driver(ipam.driver);
    const reserved: PoolRecord[] = [];
    try {
      for (const requirement of requirements) {
        const pool = await driver.requestPool({
          ipv6: requirement.ipv6,
          options: ipam.options,
          ...(requirement.subnet !== undefined && { subnet: requirement.subnet }),
          ...(requirement.range !== undefined && { range: requirement.range }),
        });
        this.#pools.set(keyOf({ id: networkId }, pool), pool.id);
        const bare: PoolRecord = {
          subnet: pool.subnet,
          auxiliary: requirement.auxiliary,
          ipv6: requirement.ipv6,
          requested: requirement.subnet !== undefined,
          ...(requirement.range !== undefined && { range: requirement.range }),
        };
        reserved.push(bare);
        const gateway = await driver.requestAddress(pool.id, {
          gateway: true,
          ...(requirement.gateway !== undefined && { preferred: withoutPrefix(requirement.gateway) }),
        });
        reserved[reserved.length - 1] = { ...bare, gateway };
        await requestAll(driver, pool.id, Object.values(requirement.auxiliary));
      }
    } catch (error) {
      await this.release({ id: networkId, ipam, pools: reserved });
      throw error;
    }
    return reserved;
  }

  /** The id of the IPAM driver behind a name or an alias. */
  driverIdOf(name: string): string {
    return this.drivers.idOf(name);
  }

  /** Reserves the pools of a recorded network again, after a restart; those that are reserved already stay as they are. */
  async restore(network: Pick<NetworkRecord, 'id' | 'ipam' | 'pools'>): Promise<void> {
    const driver = await this.#driver(network.ipam.driver);
    for (const record of network.pools) {
      const { subnet, range, gateway, auxiliary, ipv6 } = record;
      if (this.#pools.has(keyOf(network, record))) continue;
      const pool = await driver.requestPool({ subnet, ipv6, ...(range !== undefined && { range }) });
      this.#pools.set(keyOf(network, record), pool.id);
      const gateways = gateway === undefined ? [] : [withoutPrefix(gateway)];
      await requestAll(driver, pool.id, [...gateways, ...Object.values(auxiliary)]);
    }
  }

  /** Releases every pool of a network. */
  async release(network: Pick<NetworkRecord, 'id' | 'ipam' | 'pools'>): Promise<void> {
    const driver = await this.#driver(network.ipam.driver);
    for (const pool of network.pools) {
      const key = keyOf(network, pool);
      const poolId = this.#pools.get(key);
      this.#pools.delete(key);
      if (poolId !== undefined) await driver.releasePool(poolId);
    }
  }

  /**
   * Allocates an address of one family, with prefix length; undefined when the network has no pool of that family.
   * Rejects `forbidden` with "Address already in use", `invalid-argument` for an address outside every pool.
   */
  async allocate(network: NetworkRecord, ipv6: boolean, preferred: string | undefined): Promise<string | undefined> {
    const pools = network.pools.filter((pool) => pool.ipv6 === ipv6 && (network.ipv6 || !ipv6));
    let failure: unknown;
    for (const pool of pools) {
      try {
        const driver = await this.#driver(network.ipam.driver);
        const poolId = await this.#poolId(network, pool);
        return await driver.requestAddress(poolId, preferred === undefined ? {} : { preferred });
      } catch (error) {
        if (EngineError.is(error) && error.kind === 'conflict')
          throw forbidden('Address already in use', { cause: error });
        failure = error;
      }
    }
    if (EngineError.is(failure) && failure.kind === 'unavailable') {
      const where = `${ipv6 ? 'IPv6' : 'IPv4'} addresses on this network's address pools: ${network.name} (${network.id})`;
      throw unavailable(`no available ${where}`, { cause: failure });
    }
    if (failure !== undefined) throw failure;
    if (preferred === undefined) return undefined;
    throw invalidArgument(`network ${network.name} has no ${ipv6 ? 'IPv6' : 'IPv4'} subnet for address ${preferred}`);
  }

  /** Releases an address to the pool that it belongs to. */
  async releaseAddress(network: NetworkRecord, address: string | undefined): Promise<void> {
    if (address === undefined) return;
    const ipv6 = address.includes(':');
    for (const pool of network.pools) {
      const poolId = this.#pools.get(keyOf(network, pool));
      if (pool.ipv6 !== ipv6 || poolId === undefined) continue;
      const driver = await this.#driver(network.ipam.driver);
      await driver.releaseAddress(poolId, withoutPrefix(address));
    }
  }

  /** Reserves the pools first where the driver was absent at the start. */
  async #poolId(network: NetworkRecord, pool: PoolRecord): Promise<string> {
    const key = keyOf(network, pool);
    if (!this.#pools.has(key)) {
      await this.#restoring.run(network.id, async () => {
        if (!this.#pools.has(key)) await this.restore(network);
      });
    }
    const poolId = this.#pools.get(key);
    if (poolId === undefined) throw internal(`network ${network.name} has no pool ${pool.subnet}`);
    return poolId;
  }

  /** A plugin that is down for a moment is waited for. */
  async #driver(id: string): Promise<IpamDriver> {
    return id === 'default' && !this.drivers.has(id) ? this.drivers.get() : this.drivers.lookup(id);
  }
}

const keyOf = ({ id }: Pick<NetworkRecord, 'id'>, { subnet }: Pick<PoolRecord, 'subnet'>): string => `${id} ${subnet}`;

async function requestAll(driver: IpamDriver, poolId: string, addresses: readonly string[]): Promise<void> {
  for (const preferred of addresses) await driver.requestAddress(poolId, { preferred });
}

/** What the network driver sees of a network. While a family is not enabled, its subnets are only reserved. */
export function toSpec(network: NetworkRecord): NetworkSpec {
  const { id, name, internal, ipv4 = true, ipv6, swarm } = network;
  const options = swarm?.driverOptions ?? network.options;
  const pools: NetworkPool[] = network.pools
    .filter((pool) => (pool.ipv6 ? ipv6 : ipv4))
    .map(({ subnet, gateway }) => ({ subnet, gateway }));
  const { tunnel } = swarm ?? {};
  return { id, name, options, internal, ipv6, pools, ...(tunnel !== undefined && { tunnel }) };
}
