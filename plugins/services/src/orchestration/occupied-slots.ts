import { isLive, isWanted, type TaskRecord } from '../records/task-record.js';
import { shouldRestart } from './restart-policy.js';
import type { ServiceDraft } from './service-draft.js';

/**
 * The slots that count as replicas: those with a task that is to go on or to be replaced, and those whose last task ended
 * for good by its restart policy. The last task of each.
 */
export function occupiedSlots(draft: ServiceDraft): Map<string, TaskRecord> {
  const occupied = new Map<string, TaskRecord>();
  for (const [slot, tasks] of draft.slots()) {
    const newest = tasks.filter(isLive).at(-1) ?? tasks.at(-1);
    if (newest === undefined) continue;
    if (isWanted(newest) || hasFinished(draft, newest)) occupied.set(slot, newest);
  }
  return occupied;
}

const hasFinished = (draft: ServiceDraft, task: TaskRecord): boolean =>
  task.DesiredState === 'shutdown' && !shouldRestart(task, draft.now);
