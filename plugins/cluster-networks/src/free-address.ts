import { contains, subnetOf, withoutPrefix } from '@gantry/lib-network';
import type { ClusterNetwork } from './network-kind.js';

type Pool = ClusterNetwork['pools'][number];

interface AddressWish {
  /** Without prefix length. */
  readonly preferred?: string | undefined;
  /** Whether an address, without prefix length, is in use. */
  readonly isUsed: (address: string) => boolean;
  /** The address that was allocated last: used ones come again last. */
  readonly last?: string | undefined;
}

/** A free address of a network, with prefix length; undefined when there is none, or the preferred one is not free. */
export function freeAddress(
  { pools }: Pick<ClusterNetwork, 'pools'>,
  { isUsed, last, preferred }: AddressWish,
): string | undefined {
  for (const pool of pools) {
    const reserved = new Set([withoutPrefix(pool.gateway), ...Object.values(pool.auxiliary)]);
    const isFree = (address: string): boolean => !reserved.has(address) && !isUsed(address);
    const length = pool.subnet.split('/')[1] ?? '';
    if (preferred !== undefined) {
      const { first, count } = hostsOf(pool.subnet);
      const offset = toNumber(preferred) - first;
      const isHost = contains(pool.subnet, preferred) && offset >= 0 && offset < count;
      if (isHost && isFree(preferred)) return `${preferred}/${length}`;
      continue;
    }
    const found = search(pool, last, isFree);
    if (found !== undefined) return `${found}/${length}`;
  }
  return undefined;
}

/** From the address behind the last one on, and then from the beginning. */
function search(pool: Pool, last: string | undefined, isFree: (address: string) => boolean): string | undefined {
  const { count, first } = hostsOf(pool.range ?? pool.subnet, pool.subnet);
  const start = last !== undefined && contains(pool.subnet, last) ? toNumber(last) + 1 - first : 0;
  for (let step = 0; step < count; step++) {
    const address = toText(first + ((((start + step) % count) + count) % count));
    if (isFree(address)) return address;
  }
  return undefined;
}

/** The addresses of a range but for the subnet's own and its broadcast address. */
function hostsOf(range: string, subnet = range): { readonly first: number; readonly count: number } {
  const base = toNumber(withoutPrefix(subnetOf(range)));
  const size = 2 ** (32 - Number(range.split('/')[1]));
  const subnetBase = toNumber(withoutPrefix(subnetOf(subnet)));
  const subnetEnd = subnetBase + 2 ** (32 - Number(subnet.split('/')[1])) - 1;
  const first = Math.max(base, subnetBase + 1);
  const end = Math.min(base + size, subnetEnd);
  return { first, count: Math.max(0, end - first) };
}

const toNumber = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

const toText = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
