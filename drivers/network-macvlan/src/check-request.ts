import type { JoinRequest } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import { macBytes } from '@gantry/linux/netlink';
import { ipPrefix } from '@gantry/linux/sockets';
import { familyOf } from './options/address.js';

/** @throws EngineError `invalid-argument` naming the value. */
export function checkRequest({ ipv4, ipv6, linkLocal = [], macAddress }: JoinRequest): void {
  checkAddress('IPv4', 'ipv4', ipv4);
  checkAddress('IPv6', 'ipv6', ipv6);
  for (const address of linkLocal) checkAddress('link-local', familyOf(address), address);
  if (macAddress !== undefined) checkMac(macAddress);
}

/** A group of stations is no address of one. */
function checkMac(address: string): void {
  let bytes: Uint8Array;
  try {
    bytes = macBytes(address);
  } catch (cause) {
    throw invalidArgument(`invalid MAC address ${address}`, { cause });
  }
  if (((bytes[0] ?? 0) & 1) === 1) throw invalidArgument(`invalid MAC address ${address}: it is a multicast address`);
}

function checkAddress(name: string, family: 'ipv4' | 'ipv6', address: string | undefined): void {
  if (address === undefined) return;
  const refused = (cause?: unknown) => invalidArgument(`invalid ${name} address ${address}`, { cause });
  try {
    ipPrefix(address);
  } catch (cause) {
    throw refused(cause);
  }
  if (familyOf(address) !== family) throw refused();
}
