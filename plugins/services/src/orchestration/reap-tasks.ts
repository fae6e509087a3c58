import type { TaskRecord } from '../records/task-record.js';
import { compareStates, isFinal } from '../records/task-state.js';
import type { ServiceDraft } from './service-draft.js';

/** Deletes tasks that are to be removed and whose containers are gone, and the oldest above the history limit. */
export function reapTasks(draft: ServiceDraft): void {
  for (const task of draft.tasks) {
    if (isLost(draft, task)) abandon(draft, task);
    else if (isToBeRemoved(draft, task) && hasNoContainer(task)) draft.delete(task);
  }
  const { historyLimit } = draft.surroundings;
  if (historyLimit < 0) return;
  for (const tasks of draft.slots().values()) {
    const past = tasks.filter((task) => hasNoContainer(task) && compareStates(task.DesiredState, 'running') > 0);
    // The last one stays: it says that the slot has finished.
    const surplus = Math.min(
      tasks.length - historyLimit,
      past.includes(tasks.at(-1) as TaskRecord) ? past.length - 1 : past.length,
    );
    for (const task of past.slice(0, Math.max(0, surplus))) draft.delete(task);
  }
}

const isToBeRemoved = (draft: ServiceDraft, task: TaskRecord): boolean =>
  task.DesiredState === 'remove' || draft.service === undefined;

const hasNoContainer = ({ Status: { State: state } }: TaskRecord): boolean =>
  isFinal(state) || compareStates(state, 'assigned') < 0;

/** Its node has been removed from the cluster: nothing will be reported of it any more. */
const isLost = (draft: ServiceDraft, task: TaskRecord): boolean =>
  !hasNoContainer(task) && task.NodeID !== undefined && !draft.surroundings.nodes.has(task.NodeID);

function abandon(draft: ServiceDraft, task: TaskRecord): void {
  if (isToBeRemoved(draft, task)) draft.delete(task);
  else {
    draft.change(task, {
      Status: {
        ...task.Status,
        Timestamp: draft.now.text,
        State: 'orphaned',
        Message: 'node was removed from the cluster',
      },
    });
  }
}
