/** What a link that this driver made is marked with, so that a later daemon knows it. */
export interface OwnerMark {
  readonly networkId: string;
  /** Undefined: the interface under a network. */
  readonly endpointId: string | undefined;
}

/** `owner` tells several engines on one host apart. */
export const writeMark = (owner: string, networkId: string, endpointId?: string): string =>
  [owner, 'macvlan', networkId, ...(endpointId === undefined ? [] : [endpointId])].join(' ');

/** Undefined: not ours. */
export function readMark(owner: string, text: string | undefined): OwnerMark | undefined {
  const [first, kind, networkId, endpointId] = (text ?? '').split(' ');
  return first === owner && kind === 'macvlan' && networkId !== undefined ? { networkId, endpointId } : undefined;
}
