import type { ClusterRecord, ClusterStore } from '@gantry/core/contracts';
import { internal, notFound } from '@gantry/core/errors';
import { serviceKind } from '../records/record-kinds.js';
import type { ServiceRecord } from '../records/service-record.js';

/** By full id, name, then unique id prefix. @throws EngineError `not-found`, `internal` for a prefix of several. */
export function findService(store: ClusterStore, reference: string): ClusterRecord<ServiceRecord> {
  const exact = store.get(serviceKind, reference);
  if (exact !== undefined) return exact;
  const named = /^[a-z0-9][\w-]*$/i.test(reference) ? store.byName(serviceKind, reference) : undefined;
  if (named !== undefined) return named;
  const [first, ...others] = store.list(serviceKind).filter(({ id }) => reference !== '' && id.startsWith(reference));
  if (others.length > 0) throw internal(`service ${reference} is ambiguous (${others.length + 1} matches found)`);
  if (first === undefined) throw notFound(`service ${reference} not found`);
  return first;
}
