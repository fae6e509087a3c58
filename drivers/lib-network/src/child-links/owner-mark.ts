import type { ChildLinkKind } from './child-link-kind.js';

/** The mark on links that this driver created, by which a later daemon finds them. */
interface OwnerMark {
  readonly networkId: string;
  /** Undefined: the parent interface of a network. */
  readonly endpointId: string | undefined;
}

type Marker = Pick<ChildLinkKind, 'owner' | 'name'>;

export const writeMark = ({ owner, name }: Marker, networkId: string, endpointId?: string): string =>
  [owner, name, networkId, ...(endpointId === undefined ? [] : [endpointId])].join(' ');

/** Undefined: not a link of this driver. */
export function readMark({ owner, name }: Marker, text: string | undefined): OwnerMark | undefined {
  const [first, kind, networkId, endpointId] = (text ?? '').split(' ');
  return first === owner && kind === name && networkId !== undefined ? { networkId, endpointId } : undefined;
}
