import type { PathChange } from '@gantry/core/contracts';
import { type Parts, storageOf } from '../parts.js';
import { withoutOwnPlaces } from './own-places.js';

/** Spec: filesystem change. */
export interface ChangeItem {
  readonly Path: string;
  readonly Kind: number;
}

const kinds: Readonly<Record<PathChange['kind'], number>> = { modified: 0, added: 1, deleted: 2 };

/** Spec: GET /containers/(id)/changes. */
export async function changes(
  parts: Parts,
  reference: string,
  options: { readonly signal: AbortSignal },
): Promise<readonly ChangeItem[]> {
  const { record } = parts.store.get(reference);
  const found = await storageOf(parts, record).changes(record.id, options);
  return withoutOwnPlaces(found).map(({ path, kind }) => ({ Path: path, Kind: kinds[kind] }));
}
