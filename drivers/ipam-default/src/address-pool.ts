import { conflict, invalidArgument, unavailable } from '@gantry/core/errors';
import { type Block, bitsOf, formatAddress, formatSubnet, parseAddress, type Subnet } from './subnet.js';
import { UsedAddresses } from './used-addresses.js';

/** The addresses of one subnet. */
export class AddressPool {
  readonly #used = new UsedAddresses();
  readonly #hosts: Block;
  readonly #choice: Block;
  /** Where the search goes on: behind the last one chosen, so that what was released is chosen again last. */
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
    // A gateway stands at the beginning of the subnet, wherever containers' addresses are chosen from.
    if (options.gateway === true && !this.#used.has(this.#hosts.first)) return this.#take(this.#hosts.first);
    return this.#take(this.#choose());
  }

  release(address: string): void {
    this.#used.delete(this.#parse(address.split('/', 1)[0] ?? address));
  }

  #take(value: bigint): string {
    const { first, last } = this.#hosts;
    // The first and last of an IPv4 subnet name the subnet and everybody: taken from the beginning.
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
    if (address === undefined) throw invalidArgument(`invalid address ${text}: it is no IP address`);
    const { family, first, last } = this.subnet;
    if (address.family !== family || address.value < first || address.value > last) {
      throw invalidArgument(`invalid address ${text}: it does not belong to the subnet ${formatSubnet(this.subnet)}`);
    }
    return address.value;
  }
}

/**
 * What can be an interface's: not the subnet itself, nor IPv4's broadcast address; IPv6 has the subnet's routers in its
 * place. Of the smallest subnets every address can (RFC 3021, RFC 6164).
 */
function hostsOf({ family, prefix, first, last }: Subnet): Block {
  if (prefix >= bitsOf(family) - 1) return { family, first, last };
  return { family, first: first + 1n, last: family === 'ipv4' ? last - 1n : last };
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
