import type { AddressOptions, IpamDriver, Pool, PoolRequest } from '@gantry/core/contracts';
import { conflict, EngineError, internal, invalidArgument } from '@gantry/core/errors';
import { capabilitiesOf } from '../client/capabilities-of.js';
import { asText } from '../client/plugin-answer.js';
import type { PluginClient } from '../client/plugin-client.js';
import { Allocations } from './allocations.js';

/** A plugin as an IPAM driver. */
export class RemoteIpam implements IpamDriver {
  #space: string | undefined;
  /** The plugin keeps no state and wants all requests again after a restart of the engine. */
  #needsReplay = false;
  readonly #allocations: Allocations;

  /** @param file persists allocations over restarts of the engine. */
  constructor(
    private readonly client: PluginClient,
    file?: string,
  ) {
    this.#allocations = new Allocations(file);
  }

  /** The allocated pools. */
  get uses(): readonly string[] {
    return this.#allocations.subnets.map((subnet) => `address pool ${subnet}`);
  }

  /** Queries the plugin's capabilities; by default it keeps its state. */
  async loadCapabilities(): Promise<void> {
    const answer = await capabilitiesOf(this.client, 'IpamDriver.GetCapabilities');
    this.#needsReplay = answer.RequiresRequestReplay === true;
  }

  async requestPool({ subnet, range, ipv6, options = {} }: PoolRequest): Promise<Pool> {
    const known = subnet === undefined || this.#needsReplay ? undefined : await this.#allocations.claimPool(subnet);
    if (known !== undefined && subnet !== undefined) return { id: known, subnet };
    const answer = await this.client.call('IpamDriver.RequestPool', {
      AddressSpace: await this.#addressSpace(),
      Pool: subnet ?? '',
      SubPool: range ?? '',
      Options: options,
      V6: ipv6,
    });
    const id = asText(answer.PoolID);
    const pool = asText(answer.Pool) ?? subnet;
    if (id === undefined || pool === undefined) throw internal('IpamDriver.RequestPool: the plugin answered no pool');
    await this.#allocations.addPool(id, pool);
    return { id, subnet: pool };
  }

  async releasePool(poolId: string): Promise<void> {
    await this.client.call('IpamDriver.ReleasePool', { PoolID: poolId });
    await this.#allocations.dropPool(poolId);
  }

  async requestAddress(poolId: string, { preferred, gateway }: AddressOptions = {}): Promise<string> {
    const known =
      preferred === undefined || this.#needsReplay
        ? undefined
        : await this.#allocations.claimAddress(poolId, preferred);
    if (known !== undefined) return known;
    try {
      const { Address } = await this.client.call('IpamDriver.RequestAddress', {
        PoolID: poolId,
        Address: preferred ?? '',
        Options: gateway === true ? { RequestAddressType: 'com.docker.network.gateway' } : {},
      });
      const address = asText(Address);
      if (address === undefined) throw internal('IpamDriver.RequestAddress: the plugin answered no address');
      await this.#allocations.addAddress(poolId, address);
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
    await this.#allocations.dropAddress(poolId, address);
  }

  async #addressSpace(): Promise<string> {
    if (this.#space === undefined) {
      const { LocalDefaultAddressSpace } = await this.client.call('IpamDriver.GetDefaultAddressSpaces');
      this.#space = asText(LocalDefaultAddressSpace) ?? 'LocalDefault';
    }
    return this.#space;
  }
}
