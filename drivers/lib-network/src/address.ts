import { ipPrefix, ipText } from '@gantry/lib-linux/sockets';

/** `172.18.0.2/16` without the length. */
export const withoutPrefix = (address: string): string => address.split('/', 1)[0] ?? address;

/** Of an address or a subnet. */
export const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4');

/** `172.18.0.0/16` of any address in it: the bits behind the prefix are 0. */
export function subnetOf(cidr: string): string {
  const { bytes, length } = ipPrefix(cidr);
  const kept = bytes.map((byte, index) => byte & (0xff << (8 - Math.min(8, Math.max(0, length - index * 8)))));
  return `${ipText(kept)}/${length}`;
}

/** Whether an address, without prefix length, is in a subnet. */
export function contains(cidr: string, address: string): boolean {
  const length = ipPrefix(cidr).length;
  return familyOf(cidr) === familyOf(address) && subnetOf(`${withoutPrefix(address)}/${length}`) === subnetOf(cidr);
}

/** Whether two subnets have an address in common. */
export const overlap = (one: string, other: string): boolean =>
  contains(one, withoutPrefix(other)) || contains(other, withoutPrefix(one));
