import type { AddressOptions, IpamDriver, Pool, PoolRequest } from '@gantry/core/contracts';
import { conflict, EngineError, internal, invalidArgument } from '@gantry/core/errors';
import { asText } from '../client/plugin-answer.js';
import type { PluginClient } from '../client/plugin-client.js';

/** An address manager that a plugin is. */
export class RemoteIpam implements IpamDriver {
  #space: string | undefined;
  readonly #pools = new Set<string>();

  constructor(private readonly client: PluginClient) {}

  /** Number of pools it has given out. */
  get inUse(): number {
    return this.#pools.size;
  }

  async requestPool({ subnet, range, ipv6, options = {} }: PoolRequest): Promise<Pool> {
    const answer = await this.client.call('IpamDriver.RequestPool', {
      AddressSpace: await this.#addressSpace(),
      Pool: subnet ?? '',
      SubPool: range ?? '',
      Options: options,
      V6: ipv6,
    });
    const id = asText(answer.PoolID);
    const pool = asText(answer.Pool) ?? subnet;
    if (id === undefined || pool === undefined) throw internal('IpamDriver.RequestPool: the plugin gave no pool');
    this.#pools.add(id);
    return { id, subnet: pool };
  }

  async releasePool(poolId: string): Promise<void> {
    await this.client.call('IpamDriver.ReleasePool', { PoolID: poolId });
    this.#pools.delete(poolId);
  }

  async requestAddress(poolId: string, { preferred, gateway }: AddressOptions = {}): Promise<string> {
    try {
      const { Address } = await this.client.call('IpamDriver.RequestAddress', {
        PoolID: poolId,
        Address: preferred ?? '',
        Options: gateway === true ? { RequestAddressType: 'com.docker.network.gateway' } : {},
      });
      const address = asText(Address);
      if (address === undefined) throw internal('IpamDriver.RequestAddress: the plugin gave no address');
      return address;
    } catch (error) {
      if (!EngineError.is(error) || error.kind !== 'internal' || preferred === undefined) throw error;
      if (/in use|already|taken/i.test(error.message)) throw conflict('Address already in use', { cause: error });
      if (/out of range|not in|outside/i.test(error.message)) throw invalidArgument(error.message, { cause: error });
      throw error;
    }
  }

  async releaseAddress(poolId: string, address: string): Promise<void> {
    await this.client.call('IpamDriver.ReleaseAddress', { PoolID: poolId, Address: address });
  }

  async #addressSpace(): Promise<string> {
    if (this.#space === undefined) {
      const { LocalDefaultAddressSpace } = await this.client.call('IpamDriver.GetDefaultAddressSpaces');
      this.#space = asText(LocalDefaultAddressSpace) ?? 'LocalDefault';
    }
    return this.#space;
  }
}
