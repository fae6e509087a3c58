import { createHash } from 'node:crypto';
import { ipBytes } from '@gantry/lib-linux/sockets';

/** The address that four bytes make: locally administered, unicast. */
export const macOf = (bytes: Uint8Array): string =>
  ['02', '42', ...[...bytes].map((byte) => byte.toString(16).padStart(2, '0'))].join(':');

/** Follows from the IPv4 address, without prefix length, so that neighbours find whoever has it next without asking. */
export const endpointMacOf = (endpointId: string, ipv4: string | undefined): string =>
  macOf(ipv4 === undefined ? createHash('sha256').update(endpointId).digest().subarray(0, 4) : ipBytes(ipv4));
