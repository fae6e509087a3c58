import { ipBytes, ipPrefix, ipText } from '@gantry/linux/sockets';

/** `172.18.0.2/16` without the length. */
export const withoutPrefix = (address: string): string => address.split('/', 1)[0] ?? address;

export const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4');

/** `172.18.0.0/16` of any address in it. */
export const subnetOf = (cidr: string): string => `${ipText(masked(cidr, 0x00))}/${ipPrefix(cidr).length}`;

/** The IPv4 address that means everybody in a subnet; undefined where there is none. */
export const broadcastOf = (cidr: string): string | undefined =>
  familyOf(cidr) === 'ipv4' && ipPrefix(cidr).length < 31 ? ipText(masked(cidr, 0xff)) : undefined;

export function contains(cidr: string, address: string): boolean {
  const length = ipPrefix(cidr).length;
  return familyOf(cidr) === familyOf(address) && subnetOf(`${withoutPrefix(address)}/${length}`) === subnetOf(cidr);
}

export const overlap = (one: string, other: string): boolean =>
  contains(one, withoutPrefix(other)) || contains(other, withoutPrefix(one));

/** For use inside one site; the internet has no routes back to it. */
export const isUniqueLocal = (address: string): boolean =>
  familyOf(address) === 'ipv6' && ((ipBytes(withoutPrefix(address))[0] ?? 0) & 0xfe) === 0xfc;

/** The address with the bits behind the prefix all 0 or all 1. */
function masked(cidr: string, fill: number): Buffer {
  const { bytes, length } = ipPrefix(cidr);
  return Buffer.from(
    bytes.map((byte, index) => {
      const kept = Math.min(8, Math.max(0, length - index * 8));
      const mask = (0xff << (8 - kept)) & 0xff;
      return (byte & mask) | (fill & ~mask & 0xff);
    }),
  );
}
