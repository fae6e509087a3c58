import type { AddressOptions, IpamDriver, Pool, PoolRequest } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { forbidden, invalidArgument, notFound, unavailable } from '@gantry/core/errors';
import { formatSubnet, overlap, parseSubnet, type Subnet, within } from '@gantry/lib-network/subnet';
import { AddressPool } from './address-pool.js';
import { firstFreeSubnet, type SubnetSource } from './first-free-subnet.js';
import { HostAddresses } from './host-addresses.js';

/** Injects the parsed `pools` of the configuration. */
export const SubnetSources = Symbol('subnet sources');

/** Keeps pools in memory: after a restart the engine requests the same ones again. */
@injectable()
export class DefaultIpam implements IpamDriver {
  readonly #pools = new Map<string, AddressPool>();

  constructor(
    @inject(SubnetSources) private readonly sources: readonly SubnetSource[],
    @inject(HostAddresses) private readonly hostAddresses: Pick<HostAddresses, 'read'>,
  ) {}

  async requestPool(request: PoolRequest): Promise<Pool> {
    if (request.subnet === undefined) return this.#chooseSubnet(request);
    const subnet = parseRequested('subnet', request.subnet, request.ipv6);
    // A requested subnet may overlap a route of the host: the client is responsible for it.
    if (this.#subnets().some((other) => overlap(other, subnet))) {
      throw forbidden('Pool overlaps with other one on this address space');
    }
    return this.#add(subnet, request);
  }

  async releasePool(poolId: string): Promise<void> {
    this.#pools.delete(poolId);
  }

  async requestAddress(poolId: string, options: AddressOptions = {}): Promise<string> {
    const pool = this.#pools.get(poolId);
    if (pool === undefined) throw notFound(`address pool ${poolId} not found`);
    return pool.request(options);
  }

  async releaseAddress(poolId: string, address: string): Promise<void> {
    this.#pools.get(poolId)?.release(address);
  }

  async #chooseSubnet(request: PoolRequest): Promise<Pool> {
    const family = request.ipv6 ? 'ipv6' : 'ipv4';
    const sources = this.sources.filter(({ base }) => base.family === family);
    if (request.range !== undefined) {
      throw invalidArgument(`invalid range ${request.range}: a range needs a subnet that it is part of`);
    }
    const host = await this.hostAddresses.read();
    const subnet = firstFreeSubnet(sources, [...host, ...this.#subnets()]);
    if (subnet === undefined) {
      const name = request.ipv6 ? 'IPv6' : 'IPv4';
      throw unavailable(
        `could not find an available, non-overlapping ${name} address pool among the defaults to assign to the network`,
      );
    }
    return this.#add(subnet, request);
  }

  #add(subnet: Subnet, { range, ipv6 }: PoolRequest): Pool {
    const id = formatSubnet(subnet);
    this.#pools.set(id, new AddressPool(id, subnet, range === undefined ? subnet : parseRange(range, ipv6, subnet)));
    return { id, subnet: id };
  }

  #subnets(): Subnet[] {
    return [...this.#pools.values()].map(({ subnet }) => subnet);
  }
}

function parseRequested(name: string, text: string, ipv6: boolean): Subnet {
  const subnet = parseSubnet(text);
  if (subnet === undefined) throw invalidArgument(`invalid ${name} ${text}: invalid CIDR address: ${text}`);
  if ((subnet.family === 'ipv6') !== ipv6) {
    throw invalidArgument(`invalid ${name} ${text}: an ${ipv6 ? 'IPv6' : 'IPv4'} one is needed`);
  }
  return subnet;
}

function parseRange(text: string, ipv6: boolean, subnet: Subnet): Subnet {
  const range = parseRequested('range', text, ipv6);
  if (within(subnet, range)) return range;
  throw invalidArgument(`invalid range ${text}: it is not part of the subnet ${formatSubnet(subnet)}`);
}
