import type { IpamDriver, NetworkPool, NetworkSpec } from '@gantry/core/contracts';
import type { DriverSet } from '@gantry/core/driver';
import { EngineError, forbidden, invalidArgument, unavailable } from '@gantry/core/errors';
import type { NetworkRecord, PoolRecord } from './records.js';

/** A subnet as a client asks for it. */
export interface PoolWish {
  readonly subnet?: string;
  readonly range?: string;
  /** Without prefix length. */
  readonly gateway?: string;
  readonly auxiliary: Readonly<Record<string, string>>;
  readonly ipv6: boolean;
}

const withoutPrefix = (address: string): string => address.replace(/\/\d+$/, '');

/**
 * Pools and addresses of networks, at the address managers. Pool ids are theirs and not kept: after a restart every
 * pool and address is asked for again.
 */
export class Addresses {
  /** Pool id by network id and subnet. */
  readonly #pools = new Map<string, string>();

  constructor(private readonly drivers: DriverSet<IpamDriver>) {}

  /** Takes the pools of a new network with gateways and auxiliary addresses. On rejection none is left. */
  async take(
    networkId: string,
    ipam: NetworkRecord['ipam'],
    wishes: readonly PoolWish[],
  ): Promise<readonly PoolRecord[]> {
    const driver = this.#driver(ipam.driver);
    const taken: PoolRecord[] = [];
    try {
      for (const wish of wishes) {
        const pool = await driver.requestPool({
          ipv6: wish.ipv6,
          options: ipam.options,
          ...(wish.subnet !== undefined && { subnet: wish.subnet }),
          ...(wish.range !== undefined && { range: wish.range }),
        });
        this.#pools.set(`${networkId} ${pool.subnet}`, pool.id);
        const bare: PoolRecord = {
          subnet: pool.subnet,
          auxiliary: wish.auxiliary,
          ipv6: wish.ipv6,
          requested: wish.subnet !== undefined,
          ...(wish.range !== undefined && { range: wish.range }),
        };
        taken.push(bare);
        const gateway = await driver.requestAddress(pool.id, {
          gateway: true,
          ...(wish.gateway !== undefined && { preferred: withoutPrefix(wish.gateway) }),
        });
        taken[taken.length - 1] = { ...bare, gateway };
        await this.#reserve(driver, pool.id, Object.values(wish.auxiliary));
      }
    } catch (error) {
      await this.release({ id: networkId, ipam, pools: taken });
      throw error;
    }
    return taken;
  }

  /** The id of the address manager that a name leads to. */
  idOf(name: string): string {
    return this.drivers.idOf(name);
  }

  /** Says a network's pools again, after a restart. */
  async restore(network: Pick<NetworkRecord, 'id' | 'ipam' | 'pools'>): Promise<void> {
    const driver = this.#driver(network.ipam.driver);
    for (const { subnet, range, gateway, auxiliary, ipv6 } of network.pools) {
      const pool = await driver.requestPool({ subnet, ipv6, ...(range !== undefined && { range }) });
      this.#pools.set(`${network.id} ${subnet}`, pool.id);
      const reserved = gateway === undefined ? [] : [withoutPrefix(gateway)];
      await this.#reserve(driver, pool.id, [...reserved, ...Object.values(auxiliary)]);
    }
  }

  async release(network: Pick<NetworkRecord, 'id' | 'ipam' | 'pools'>): Promise<void> {
    const driver = this.#driver(network.ipam.driver);
    for (const { subnet } of network.pools) {
      const key = `${network.id} ${subnet}`;
      const poolId = this.#pools.get(key);
      this.#pools.delete(key);
      if (poolId !== undefined) await driver.releasePool(poolId);
    }
  }

  /**
   * An address of one family with prefix length; undefined when the network has no pool of it. Rejects `forbidden` with
   * "Address already in use", `invalid-argument` for an address no pool holds.
   */
  async request(network: NetworkRecord, ipv6: boolean, preferred: string | undefined): Promise<string | undefined> {
    const pools = network.pools.filter((pool) => pool.ipv6 === ipv6 && (network.ipv6 || !ipv6));
    let failure: unknown;
    for (const pool of pools) {
      try {
        return await this.#driver(network.ipam.driver).requestAddress(
          this.#poolId(network, pool),
          preferred === undefined ? {} : { preferred },
        );
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

  /** Gives an address back to whichever pool it is of. */
  async giveBack(network: NetworkRecord, address: string | undefined): Promise<void> {
    if (address === undefined) return;
    const ipv6 = address.includes(':');
    for (const pool of network.pools) {
      if (pool.ipv6 !== ipv6) continue;
      await this.#driver(network.ipam.driver).releaseAddress(this.#poolId(network, pool), withoutPrefix(address));
    }
  }

  async #reserve(driver: IpamDriver, poolId: string, addresses: readonly string[]): Promise<void> {
    for (const preferred of addresses) await driver.requestAddress(poolId, { preferred });
  }

  #poolId(network: NetworkRecord, pool: PoolRecord): string {
    return this.#pools.get(`${network.id} ${pool.subnet}`) ?? '';
  }

  #driver(id: string): IpamDriver {
    return this.drivers.get(id === 'default' && !this.drivers.has(id) ? undefined : id);
  }
}

/** The driver's view of a network. An IPv6 subnet is only reserved while IPv6 is not enabled. */
export function toSpec(network: NetworkRecord): NetworkSpec {
  const { id, name, options, internal, ipv6 } = network;
  const pools: NetworkPool[] = network.pools
    .filter((pool) => ipv6 || !pool.ipv6)
    .map(({ subnet, gateway }) => ({ subnet, gateway }));
  return { id, name, options, internal, ipv6, pools };
}
