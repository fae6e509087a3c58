import { createHash } from 'node:crypto';
import { ipBytes } from '@gantry/lib-linux/sockets';

/** The locally administered unicast address made of four bytes. */
export const macOf = (bytes: Uint8Array): string =>
  ['02', '42', ...[...bytes].map((byte) => byte.toString(16).padStart(2, '0'))].join(':');

/** Derived from the IPv4 address, without prefix length: ARP caches stay valid when another endpoint reuses it. */
export const endpointMacOf = (endpointId: string, ipv4: string | undefined): string =>
  macOf(ipv4 === undefined ? createHash('sha256').update(endpointId).digest().subarray(0, 4) : ipBytes(ipv4));
