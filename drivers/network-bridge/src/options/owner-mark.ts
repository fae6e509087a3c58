/** The mark on links that this engine created, by which a later daemon finds them. */
type OwnerMark =
  | { readonly kind: 'network'; readonly networkId: string }
  | { readonly kind: 'endpoint'; readonly networkId: string; readonly endpointId: string };

/** `owner` distinguishes several engines on one host. */
export function writeMark(owner: string, mark: OwnerMark): string {
  const about = mark.kind === 'network' ? mark.networkId : `${mark.networkId} ${mark.endpointId}`;
  return `${owner} ${mark.kind} ${about}`;
}

/** Undefined: not a link of this engine. */
export function readMark(owner: string, text: string | undefined): OwnerMark | undefined {
  const [first, kind, networkId, endpointId] = (text ?? '').split(' ');
  if (first !== owner || networkId === undefined) return undefined;
  if (kind === 'network') return { kind, networkId };
  return kind === 'endpoint' && endpointId !== undefined ? { kind, networkId, endpointId } : undefined;
}

/** Whether the link was created by an engine with another owner. */
export const isMarkedByAnother = (owner: string, text: string | undefined): boolean =>
  /^[a-zA-Z][a-zA-Z0-9_]* (network|endpoint) [0-9a-f]{64}\b/.test(text ?? '') && readMark(owner, text) === undefined;
