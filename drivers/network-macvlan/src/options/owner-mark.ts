/** The mark on links that this driver created, by which a later daemon finds them. */
interface OwnerMark {
  readonly networkId: string;
  /** Undefined: the parent interface of a network. */
  readonly endpointId: string | undefined;
}

/** `owner` distinguishes several engines on one host. */
export const writeMark = (owner: string, networkId: string, endpointId?: string): string =>
  [owner, 'macvlan', networkId, ...(endpointId === undefined ? [] : [endpointId])].join(' ');

/** Undefined: not a link of this driver. */
export function readMark(owner: string, text: string | undefined): OwnerMark | undefined {
  const [first, kind, networkId, endpointId] = (text ?? '').split(' ');
  return first === owner && kind === 'macvlan' && networkId !== undefined ? { networkId, endpointId } : undefined;
}
