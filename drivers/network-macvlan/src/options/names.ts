import { createHash } from 'node:crypto';

const hexadecimal = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits);

/** The interface under a network that has no parent, and where what it sends ends. */
export const islandNamesOf = (networkId: string): readonly [link: string, end: string] => {
  const number = hexadecimal(networkId, 11);
  return [`mv-${number}`, `mx-${number}`];
};

/** What an endpoint's interface is called until it has its place: the host may have an `eth0` of its own. */
export const passingNameOf = (endpointId: string): string => `mvp${hexadecimal(endpointId, 10)}`;
