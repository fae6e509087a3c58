import type { AddressOptions, IpamDriver, Pool, PoolRequest } from '@gantry/core/contracts';
import { conflict, EngineError, internal, invalidArgument } from '@gantry/core/errors';
import { capabilitiesOf } from '../client/capabilities-of.js';
import { asText } from '../client/plugin-answer.js';
import type { PluginClient } from '../client/plugin-client.js';
import { GivenOut } from './given-out.js';

/** An address manager that a plugin is. */
export class RemoteIpam implements IpamDriver {
  #space: string | undefined;
  /** The plugin forgets, and wants to be told of everything again after a restart of the engine. */
  #forgets = false;
  readonly #given: GivenOut;

  /** @param file keeps what it gave out over restarts of the engine. */
  constructor(
    private readonly client: PluginClient,
    file?: string,
  ) {
    this.#given = new GivenOut(file);
  }

  /** Number of pools it has given out. */
  get inUse(): number {
    return this.#given.inUse;
  }

  /** Asks for what the plugin can; one that does not say remembers what it gave out. */
  async learn(): Promise<void> {
    const answer = await capabilitiesOf(this.client, 'IpamDriver.GetCapabilities');
    this.#forgets = answer.RequiresRequestReplay === true;
  }

  async requestPool({ subnet, range, ipv6, options = {} }: PoolRequest): Promise<Pool> {
    const known = subnet === undefined || this.#forgets ? undefined : await this.#given.claimPool(subnet);
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
    if (id === undefined || pool === undefined) throw internal('IpamDriver.RequestPool: the plugin gave no pool');
    await this.#given.addPool(id, pool);
    return { id, subnet: pool };
  }

  async releasePool(poolId: string): Promise<void> {
    await this.client.call('IpamDriver.ReleasePool', { PoolID: poolId });
    await this.#given.dropPool(poolId);
  }

  async requestAddress(poolId: string, { preferred, gateway }: AddressOptions = {}): Promise<string> {
    const known =
      preferred === undefined || this.#forgets ? undefined : await this.#given.claimAddress(poolId, preferred);
    if (known !== undefined) return known;
    try {
      const { Address } = await this.client.call('IpamDriver.RequestAddress', {
        PoolID: poolId,
        Address: preferred ?? '',
        Options: gateway === true ? { RequestAddressType: 'com.docker.network.gateway' } : {},
      });
      const address = asText(Address);
      if (address === undefined) throw internal('IpamDriver.RequestAddress: the plugin gave no address');
      await this.#given.addAddress(poolId, address);
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
    await this.#given.dropAddress(poolId, address);
  }

  async #addressSpace(): Promise<string> {
    if (this.#space === undefined) {
      const { LocalDefaultAddressSpace } = await this.client.call('IpamDriver.GetDefaultAddressSpaces');
      this.#space = asText(LocalDefaultAddressSpace) ?? 'LocalDefault';
    }
    return this.#space;
  }
}
