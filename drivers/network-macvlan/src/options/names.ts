import { createHash } from 'node:crypto';

const hexadecimal = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits);

/** The parent of a network without one, and its peer. */
export const isolatedNamesOf = (networkId: string): readonly [link: string, end: string] => {
  const number = hexadecimal(networkId, 11);
  return [`mv-${number}`, `mx-${number}`];
};

/** The name of an endpoint's interface until it is configured: the host may have an `eth0` of its own. */
export const temporaryNameOf = (endpointId: string): string => `mvp${hexadecimal(endpointId, 10)}`;
