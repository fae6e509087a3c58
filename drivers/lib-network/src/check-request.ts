import type { JoinRequest } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import { macBytes } from '@gantry/lib-linux/netlink';
import { ipPrefix } from '@gantry/lib-linux/sockets';
import { familyOf } from './address.js';
import { isInterfaceName } from './interface-name.js';

/** @throws EngineError `invalid-argument` naming the value. */
export function checkRequest({ ipv4, ipv6, linkLocal = [], macAddress, interfaceName }: JoinRequest): void {
  checkAddress('IPv4', 'ipv4', ipv4);
  checkAddress('IPv6', 'ipv6', ipv6);
  for (const address of linkLocal) checkAddress('link-local', familyOf(address), address);
  if (macAddress !== undefined) checkMac(macAddress);
  if (!isInterfaceName(interfaceName)) throw invalidArgument(`invalid interface name "${interfaceName}"`);
}

function checkAddress(name: string, family: 'ipv4' | 'ipv6', address: string | undefined): void {
  if (address === undefined) return;
  try {
    ipPrefix(address);
  } catch (cause) {
    throw invalidArgument(`invalid ${name} address ${address}`, { cause });
  }
  if (familyOf(address) !== family) throw invalidArgument(`invalid ${name} address ${address}`);
}

/** A multicast address is not valid for an interface. */
function checkMac(address: string): void {
  let bytes: Uint8Array;
  try {
    bytes = macBytes(address);
  } catch (cause) {
    throw invalidArgument(`invalid MAC address ${address}`, { cause });
  }
  if (((bytes[0] ?? 0) & 1) === 1) throw invalidArgument(`invalid MAC address ${address}: it is a multicast address`);
}
