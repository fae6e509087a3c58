import { isActive, isLive, type TaskRecord } from '../records/task-record.js';
import { compareStates } from '../records/task-state.js';
import type { ServiceDraft } from './service-draft.js';

/**
 * Lets prepared tasks start once their delay is over and the task before them has ended, and stops tasks whose successor
 * runs.
 */
export function orderStarts(draft: ServiceDraft): void {
  for (const tasks of draft.slots().values()) {
    const live = tasks.filter(isLive);
    const newest = live.at(-1);
    if (newest?.Status.State === 'running') {
      for (const task of live.slice(0, -1)) draft.change(task, { DesiredState: 'shutdown' });
    }
    for (const task of live) if (task.DesiredState === 'ready') release(draft, task, tasks);
  }
}

function release(draft: ServiceDraft, task: TaskRecord, slot: readonly TaskRecord[]): void {
  if (task.StartAfter !== undefined && Date.parse(task.StartAfter) > draft.now.ms) {
    draft.wake(Date.parse(task.StartAfter));
    return;
  }
  if (!slot.some((other) => isBeingStopped(draft, other))) draft.change(task, { DesiredState: 'running' });
}

/** A task on a node that is down cannot be waited for. */
function isBeingStopped(draft: ServiceDraft, task: TaskRecord): boolean {
  if (!isActive(task) || compareStates(task.DesiredState, 'running') <= 0) return false;
  const node = draft.surroundings.nodes.get(task.NodeID ?? '');
  return node !== undefined && node.Status.State !== 'down';
}
