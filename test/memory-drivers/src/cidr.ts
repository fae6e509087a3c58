import { isIPv4, isIPv6 } from 'node:net';

/** A subnet as numbers. */
export interface Cidr {
  readonly bits: 32 | 128;
  readonly first: bigint;
  readonly last: bigint;
  readonly prefix: number;
}

/** Undefined: the text is no subnet. */
export function readCidr(text: string): Cidr | undefined {
  const [address = '', length = '', ...rest] = text.split('/');
  const bits = bitsOf(address);
  const prefix = Number(length);
  if (bits === undefined || rest.length > 0 || !/^\d+$/.test(length) || prefix > bits) return undefined;
  const size = 1n << BigInt(bits - prefix);
  const first = (toNumber(address) / size) * size;
  return { bits, first, last: first + size - 1n, prefix };
}

export const writeCidr = ({ bits, first, prefix }: Cidr): string => `${toText(bits, first)}/${prefix}`;

/** Undefined: neither IPv4 nor IPv6. */
export const bitsOf = (address: string): 32 | 128 | undefined => {
  if (isIPv4(address)) return 32;
  return isIPv6(address) ? 128 : undefined;
};

export function toNumber(address: string): bigint {
  if (isIPv4(address)) return address.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
  const [head = '', tail] = address.split('::');
  const groups = (part: string): string[] => part.split(':').filter((group) => group !== '');
  const back = groups(tail ?? '');
  const front = groups(head);
  const all = [...front, ...new Array<string>(8 - front.length - back.length).fill('0'), ...back];
  return all.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

/** IPv6 with its last run of zeros, if it has one, as `::`. */
export function toText(bits: 32 | 128, value: bigint): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(16 * (7 - index))) & 0xffffn).toString(16));
  return groups.join(':').replace(/(^|:)0(:0)+(:(?!.*:0:0)|$)/, '::');
}
