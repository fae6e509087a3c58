import { type AddressOptions, type IpamDriver, IpamDrivers, type Pool, type PoolRequest } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { conflict, forbidden, invalidArgument, notFound, unavailable } from '@gantry/core/errors';
import { Type } from '@sinclair/typebox';
import { bitsOf, type Cidr, readCidr, toNumber, toText, writeCidr } from './cidr.js';

interface MemoryPool {
  readonly subnet: Cidr;
  readonly range: Cidr;
  readonly used: Set<bigint>;
  next: bigint;
}

/** Pools and addresses in plain sets. Knows nothing of the host; chooses from 172.17.0.0/16 up. */
class MemoryIpam implements IpamDriver {
  readonly #pools = new Map<string, MemoryPool>();

  async requestPool(request: PoolRequest): Promise<Pool> {
    const subnet = request.subnet === undefined ? this.#choose(request) : parse('subnet', request.subnet, request.ipv6);
    if (this.#isTaken(subnet)) throw forbidden('Pool overlaps with other one on this address space');
    const range = request.range === undefined ? subnet : parse('range', request.range, request.ipv6);
    if (range.first < subnet.first || range.last > subnet.last) {
      throw invalidArgument(`invalid range ${request.range}: it is not part of the subnet ${writeCidr(subnet)}`);
    }
    const id = writeCidr(subnet);
    this.#pools.set(id, { subnet, range, used: new Set(), next: range.first });
    return { id, subnet: id };
  }

  async releasePool(poolId: string): Promise<void> {
    this.#pools.delete(poolId);
  }

  async requestAddress(poolId: string, { preferred, gateway }: AddressOptions = {}): Promise<string> {
    const pool = this.#pools.get(poolId);
    if (pool === undefined) throw notFound(`address pool ${poolId} not found`);
    if (preferred !== undefined) return take(pool, parseIn(pool, preferred));
    const first = pool.subnet.first + 1n;
    return take(pool, gateway === true && !pool.used.has(first) ? first : nextFree(pool));
  }

  async releaseAddress(poolId: string, address: string): Promise<void> {
    this.#pools.get(poolId)?.used.delete(toNumber(address.split('/', 1)[0] ?? ''));
  }

  #choose({ ipv6 }: PoolRequest): Cidr {
    for (let second = 17; !ipv6 && second < 256; second++) {
      const subnet = parse('subnet', `172.${second}.0.0/16`, false);
      if (!this.#isTaken(subnet)) return subnet;
    }
    const family = ipv6 ? 'IPv6' : 'IPv4';
    throw unavailable(
      `could not find an available, non-overlapping ${family} address pool among the defaults to assign to the network`,
    );
  }

  #isTaken({ bits, first, last }: Cidr): boolean {
    return [...this.#pools.values()].some(
      ({ subnet }) => subnet.bits === bits && subnet.first <= last && first <= subnet.last,
    );
  }
}

function parse(name: string, text: string, ipv6: boolean): Cidr {
  const cidr = readCidr(text);
  if (cidr === undefined) throw invalidArgument(`invalid ${name} ${text}: invalid CIDR address: ${text}`);
  if ((cidr.bits === 128) !== ipv6) {
    throw invalidArgument(`invalid ${name} ${text}: an ${ipv6 ? 'IPv6' : 'IPv4'} one is needed`);
  }
  return cidr;
}

function parseIn({ subnet }: MemoryPool, text: string): bigint {
  const value = bitsOf(text) === subnet.bits ? toNumber(text) : -1n;
  if (value >= subnet.first && value <= subnet.last) return value;
  throw invalidArgument(`invalid address ${text}: it does not belong to the subnet ${writeCidr(subnet)}`);
}

function take(pool: MemoryPool, value: bigint): string {
  if (isReserved(pool, value) || pool.used.has(value)) throw conflict('Address already in use');
  pool.used.add(value);
  return `${toText(pool.subnet.bits, value)}/${pool.subnet.prefix}`;
}

const isReserved = ({ subnet }: MemoryPool, value: bigint): boolean =>
  value === subnet.first || (subnet.bits === 32 && value === subnet.last);

/** One round through the range, going on where the last one ended. */
function nextFree(pool: MemoryPool): bigint {
  const { first, last } = pool.range;
  const size = last - first + 1n;
  for (let step = 0n; step < size; step++) {
    const value = first + ((pool.next - first + step) % size);
    if (isReserved(pool, value) || pool.used.has(value)) continue;
    pool.next = value + 1n;
    return value;
  }
  throw unavailable('no available addresses on this pool');
}

export const ipam = defineDriver({
  id: 'memory',
  provides: IpamDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => new MemoryIpam(),
});
