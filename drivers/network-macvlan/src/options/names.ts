import { createHash } from 'node:crypto';
import { ipBytes } from '@gantry/linux/sockets';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const hexadecimal = (text: string, digits: number): string => digest(text).toString('hex').slice(0, digits);

/** The interface under a network that has no parent, and where what it sends ends. */
export const islandNamesOf = (networkId: string): readonly [link: string, end: string] => {
  const number = hexadecimal(networkId, 11);
  return [`mv-${number}`, `mx-${number}`];
};

/** What an endpoint's interface is called until it has its place: the host may have an `eth0` of its own. */
export const passingNameOf = (endpointId: string): string => `mvp${hexadecimal(endpointId, 10)}`;

/** Follows from the address, so that neighbours find whoever has it next without asking. */
export function endpointMacOf(endpointId: string, ipv4: string | undefined): string {
  const bytes = ipv4 === undefined ? digest(endpointId).subarray(0, 4) : ipBytes(ipv4);
  return ['02', '42', ...[...bytes].map((byte) => byte.toString(16).padStart(2, '0'))].join(':');
}
