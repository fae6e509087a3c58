import ipaddr from 'ipaddr.js';

type Family = 'ipv4' | 'ipv6';

/** A block of addresses, as numbers, both ends included. */
export interface Block {
  readonly family: Family;
  readonly first: bigint;
  readonly last: bigint;
}

export interface Subnet extends Block {
  readonly prefix: number;
}

export const bitsOf = (family: Family): number => (family === 'ipv4' ? 32 : 128);

/** The subnet that contains `172.18.0.2/16`; undefined when it is not CIDR. */
export function parseSubnet(text: string): Subnet | undefined {
  const [address = '', length = '', ...rest] = text.split('/');
  const parsed = parseAddress(address);
  if (parsed === undefined || rest.length > 0 || !/^\d{1,3}$/.test(length)) return undefined;
  const prefix = Number(length);
  return prefix > bitsOf(parsed.family) ? undefined : subnetAt(parsed.family, parsed.value, prefix);
}

/** The subnet of a prefix length that contains an address. */
export function subnetAt(family: Family, address: bigint, prefix: number): Subnet {
  const hosts = 1n << BigInt(bitsOf(family) - prefix);
  const first = address - (address % hosts);
  return { family, first, last: first + hosts - 1n, prefix };
}

/** Parses an address without prefix length; undefined when it is not one. */
export function parseAddress(text: string): { readonly family: Family; readonly value: bigint } | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return { family: 'ipv4', value: toNumber(ipaddr.IPv4.parse(text)) };
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
  return { family: 'ipv6', value: toNumber(ipaddr.IPv6.parse(text)) };
}

export function formatAddress(family: Family, value: bigint): string {
  const bytes = [...Buffer.from(value.toString(16).padStart(bitsOf(family) / 4, '0'), 'hex')];
  return family === 'ipv4' ? new ipaddr.IPv4(bytes).toString() : new ipaddr.IPv6(bytes).toRFC5952String();
}

export const formatSubnet = ({ family, first, prefix }: Subnet): string => `${formatAddress(family, first)}/${prefix}`;

export const overlap = (one: Block, other: Block): boolean =>
  one.family === other.family && one.first <= other.last && other.first <= one.last;

export const within = (outer: Block, inner: Block): boolean =>
  outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;

const toNumber = (address: ipaddr.IPv4 | ipaddr.IPv6): bigint =>
  address.toByteArray().reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
