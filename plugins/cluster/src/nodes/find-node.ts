import type { ClusterRecord, ClusterStore } from '@gantry/core/contracts';
import { conflict, notFound } from '@gantry/core/errors';
import { nodes } from '../records/node-kind.js';
import type { NodeRecord } from './node-wire.js';

/**
 * The node of an id, a name, or the beginning of an id.
 * @throws EngineError `not-found`, and `conflict` for a name or a beginning that several nodes have.
 */
export function findNode(store: ClusterStore, text: string): NodeRecord {
  const exact = store.get(nodes, text);
  if (exact !== undefined) return exact;
  const all = store.list(nodes);
  const named = all.filter(({ value }) => value.spec.Name === text || value.description.Hostname === text);
  return onlyOne(named, text) ?? onlyOne(beginningWith(all, text), text) ?? absent(text);
}

const beginningWith = <T>(records: readonly ClusterRecord<T>[], text: string): readonly ClusterRecord<T>[] =>
  text === '' ? [] : records.filter(({ id }) => id.startsWith(text));

function onlyOne<T>(found: readonly T[], text: string): T | undefined {
  if (found.length > 1) throw conflict(`node ${text} is ambiguous (${found.length} matches found)`);
  return found[0];
}

function absent(text: string): never {
  throw notFound(`node ${text} not found`);
}
