import { createHash } from 'node:crypto';
import type { ChildLinkKind } from './child-link-kind.js';

const hexadecimal = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits);

/** The parent of a network without one, and its peer. */
export const isolatedNamesOf = (
  { prefix }: Pick<ChildLinkKind, 'prefix'>,
  networkId: string,
): readonly [link: string, end: string] => {
  const number = hexadecimal(networkId, 11);
  return [`${prefix}-${number}`, `${prefix[0]}x-${number}`];
};

/** The name of an endpoint's interface until it is configured: the host may have an `eth0` of its own. */
export const temporaryNameOf = ({ prefix }: Pick<ChildLinkKind, 'prefix'>, endpointId: string): string =>
  `${prefix}p${hexadecimal(endpointId, 10)}`;

/** Whether an interface of the host has such a name: one that a killed daemon was creating. */
export const isTemporaryName = ({ prefix }: Pick<ChildLinkKind, 'prefix'>, name: string): boolean =>
  name.startsWith(`${prefix}p`) && /^[0-9a-f]{10}$/.test(name.slice(prefix.length + 1));
