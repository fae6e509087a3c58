import { conflict, invalidArgument, unavailable } from '@gantry/core/errors';
import { type Block, bitsOf, formatAddress, formatSubnet, parseAddress, type Subnet } from '@gantry/lib-network/subnet';
import { UsedAddresses } from './used-addresses.js';

/** The addresses of one subnet. */
export class AddressPool {
  readonly #used = new UsedAddresses();
  readonly #hosts: Block;
  readonly #choice: Block;
  /** Where the search continues: after the last address chosen, so that a released one is reused last. */
  #next: bigint;

  constructor(
    readonly id: string,
    readonly subnet: Subnet,
    range: Block = subnet,
  ) {
    this.#hosts = hostsOf(subnet);
    this.#choice = {
      family: subnet.family,
      first: larger(this.#hosts.first, range.first),
      last: smaller(this.#hosts.last, range.last),
    };
    this.#next = this.#choice.first;
  }

  request(options: { readonly preferred?: string; readonly gateway?: boolean }): string {
    if (options.preferred !== undefined) return this.#take(this.#parse(options.preferred));
    // A gateway gets the first address of the subnet, whatever the range for containers is.
    if (options.gateway === true && !this.#used.has(this.#hosts.first)) return this.#take(this.#hosts.first);
    return this.#take(this.#choose());
  }

  release(address: string): void {
    this.#used.delete(this.#parse(address.split('/', 1)[0] ?? address));
  }

  #take(value: bigint): string {
    const { first, last } = this.#hosts;
    // The network and broadcast addresses of an IPv4 subnet count as in use.
    if (value < first || value > last || !this.#used.add(value)) throw conflict('Address already in use');
    return `${formatAddress(this.subnet.family, value)}/${this.subnet.prefix}`;
  }

  #choose(): bigint {
    const { first, last } = this.#choice;
    for (const from of [this.#next, first]) {
      const free = this.#used.nextFree(from);
      if (free > last) continue;
      this.#next = free + 1n;
      return free;
    }
    throw unavailable('no available addresses on this pool');
  }

  #parse(text: string): bigint {
    const address = parseAddress(text);
    if (address === undefined) throw invalidArgument(`invalid address ${text}: it is not an IP address`);
    const { family, first, last } = this.subnet;
    if (address.family !== family || address.value < first || address.value > last) {
      throw invalidArgument(`invalid address ${text}: it does not belong to the subnet ${formatSubnet(this.subnet)}`);
    }
    return address.value;
  }
}

/**
 * Addresses that an interface can have: not the network address (IPv6: the subnet-router anycast address), nor IPv4's
 * broadcast address. In the smallest subnets every address is usable (RFC 3021, RFC 6164).
 */
function hostsOf({ family, prefix, first, last }: Subnet): Block {
  if (prefix >= bitsOf(family) - 1) return { family, first, last };
  return { family, first: first + 1n, last: family === 'ipv4' ? last - 1n : last };
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
