import {
  type ClusterChange,
  type ClusterRecord,
  createRecord,
  deleteRecord,
  expectRecord,
  updateRecord,
} from '@gantry/core/contracts';
import type { ServiceDraft } from '../orchestration/service-draft.js';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import type { ServiceRecord } from '../records/service-record.js';
import { slotOf, type TaskRecord } from '../records/task-record.js';

/** What a draft was made from. */
export interface DraftSource {
  readonly service: ClusterRecord<ServiceRecord> | undefined;
  readonly tasks: ReadonlyMap<string, ClusterRecord<TaskRecord>>;
}

/**
 * The changes of a draft as transactions of at most so many changes, each of which holds only while the service is as it
 * was. The tasks of one slot are next to each other.
 */
export function changesOfDraft(draft: ServiceDraft, source: DraftSource, limit: number): readonly ClusterChange[][] {
  const { deleted, service, written } = draft.changes();
  const changes: ClusterChange[] = [];
  for (const task of [...written].sort((left, right) => (slotOf(left) < slotOf(right) ? -1 : 1))) {
    const record = source.tasks.get(task.ID);
    changes.push(record === undefined ? createRecord(taskKind, task.ID, task) : updateRecord(taskKind, record, task));
  }
  for (const id of deleted) {
    const record = source.tasks.get(id);
    if (record !== undefined) changes.push(deleteRecord(taskKind, record));
  }
  const ofService = source.service === undefined ? [] : [serviceChange(source.service, service)];
  if (changes.length === 0) return service === undefined ? [] : [ofService];
  const batches: ClusterChange[][] = [];
  for (let from = 0; from < changes.length; from += limit - 1) {
    const first = from === 0;
    const guard = source.service === undefined || !first ? [] : ofService;
    batches.push([...guard, ...changes.slice(from, from + limit - 1)]);
  }
  return batches;
}

const serviceChange = (record: ClusterRecord<ServiceRecord>, changed: ServiceRecord | undefined): ClusterChange =>
  changed === undefined ? expectRecord(serviceKind, record) : updateRecord(serviceKind, record, changed);
