import type { ClusterRecord, ClusterStore } from '@gantry/core/contracts';
import { internal, notFound } from '@gantry/core/errors';
import { taskKind } from '../records/record-kinds.js';
import { type TaskRecord, taskName } from '../records/task-record.js';

/** By full id, name, then unique id prefix. @throws EngineError `not-found`, `internal` for a prefix of several. */
export function findTask(store: ClusterStore, reference: string): ClusterRecord<TaskRecord> {
  const exact = store.get(taskKind, reference);
  if (exact !== undefined) return exact;
  const tasks = store.list(taskKind);
  const named = tasks.find(({ value }) => taskName(value) === reference);
  if (named !== undefined) return named;
  const [first, ...others] = tasks.filter(({ id }) => reference !== '' && id.startsWith(reference));
  if (others.length > 0) throw internal(`task ${reference} is ambiguous (${others.length + 1} matches found)`);
  if (first === undefined) throw notFound(`task ${reference} not found`);
  return first;
}
