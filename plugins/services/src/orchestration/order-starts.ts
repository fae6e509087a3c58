import { isActive, isLive, type TaskRecord } from '../records/task-record.js';
import { compareStates } from '../records/task-state.js';
import type { ServiceDraft } from './service-draft.js';

/** Nanoseconds. */
const defaultStopGracePeriod = 10_000_000_000;

/** Milliseconds beside the grace period. */
const stopTolerance = 60_000;

/**
 * Lets prepared tasks start once their delay is over and the task before them has ended, or should have long since, and
 * stops tasks whose successor runs.
 */
export function orderStarts(draft: ServiceDraft): void {
  for (const tasks of draft.slots().values()) {
    const live = tasks.filter(isLive);
    const newest = live.at(-1);
    if (newest?.Status.State === 'running') {
      for (const task of live.slice(0, -1)) draft.stop(task);
    }
    for (const task of live) if (task.DesiredState === 'ready') release(draft, task, tasks);
  }
}

function release(draft: ServiceDraft, task: TaskRecord, slot: readonly TaskRecord[]): void {
  if (task.StartAfter !== undefined && Date.parse(task.StartAfter) > draft.now.ms) {
    draft.wake(Date.parse(task.StartAfter));
    return;
  }
  const awaited = slot.filter((other) => isBeingStopped(draft, other));
  const startAt = Math.max(0, ...awaited.map((other) => Date.parse(task.CreatedAt) + stopLimitOf(other)));
  if (awaited.length === 0 || startAt <= draft.now.ms) draft.change(task, { DesiredState: 'running' });
  else draft.wake(startAt);
}

/** Milliseconds after which a successor does not wait any more: a program that cannot be killed would block it for ever. */
const stopLimitOf = ({ Spec: { ContainerSpec: container } }: TaskRecord): number =>
  (container?.StopGracePeriod ?? defaultStopGracePeriod) / 1e6 + stopTolerance;

/** A task on a node that is down cannot be waited for. */
function isBeingStopped(draft: ServiceDraft, task: TaskRecord): boolean {
  if (!isActive(task) || compareStates(task.DesiredState, 'running') <= 0) return false;
  const node = draft.surroundings.nodes.get(task.NodeID ?? '');
  return node !== undefined && node.Status.State !== 'down';
}
