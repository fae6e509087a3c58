import { BlockList, isIPv6 } from 'node:net';

/** `172.18.0.2/16` without the length. */
export const withoutPrefix = (address: string): string => address.split('/', 1)[0] ?? address;

export const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(withoutPrefix(address)) ? 'ipv6' : 'ipv4');

export function contains(subnet: string, address: string): boolean {
  const family = familyOf(subnet);
  if (family !== familyOf(address)) return false;
  const block = new BlockList();
  block.addSubnet(withoutPrefix(subnet), Number(subnet.split('/')[1]), family);
  return block.check(withoutPrefix(address), family);
}
