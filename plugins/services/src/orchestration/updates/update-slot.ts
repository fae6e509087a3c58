import type { ServiceRecord } from '../../records/service-record.js';
import { isLive, isWanted, type TaskRecord } from '../../records/task-record.js';
import type { ServiceDraft } from '../service-draft.js';

/**
 * Makes the updated task of a slot. Started first, it runs beside the old one, which is stopped once it does; otherwise the
 * old one is stopped while the new one is prepared.
 */
export function updateSlot(
  draft: ServiceDraft,
  service: ServiceRecord,
  tasks: readonly TaskRecord[],
  startFirst: boolean,
): void {
  const [first] = tasks;
  if (first === undefined) return;
  const place: Partial<TaskRecord> = first.Slot === undefined ? pick(first) : { Slot: first.Slot };
  for (const task of tasks.filter(isWanted)) if (!startFirst || !isLive(task)) draft.stop(task);
  draft.create(service, { ...place, DesiredState: startFirst ? 'running' : 'ready' });
}

const pick = ({ NodeID: nodeId }: TaskRecord): Partial<TaskRecord> => (nodeId === undefined ? {} : { NodeID: nodeId });
