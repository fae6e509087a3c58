import type { ServiceDraft } from '../orchestration/service-draft.js';
import { isUnplaced } from '../records/record-kinds.js';
import type { TaskRecord } from '../records/task-record.js';
import type { NetworkPlugins } from '../scheduling/node-filters.js';
import { usageOf } from '../scheduling/node-usage.js';
import type { SchedulableNode } from '../scheduling/schedulable-node.js';
import { type Placement, scheduleTasks } from '../scheduling/schedule-tasks.js';

interface PlacementContext {
  readonly nodes: readonly SchedulableNode[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Ids of tasks that wait for something else. */
  readonly blocked?: ReadonlySet<string>;
  readonly networkPlugins?: NetworkPlugins;
}

/** Gives the tasks of the drafts that wait for a node one, or the reason why there is none. */
export function placeTasks(
  drafts: readonly ServiceDraft[],
  otherTasks: Iterable<TaskRecord>,
  { blocked = new Set(), networkPlugins, nodes, now }: PlacementContext,
): void {
  const unplaced = drafts.flatMap((draft) => draft.tasks.filter((task) => isUnplaced(task) && !blocked.has(task.ID)));
  if (unplaced.length === 0) return;
  const usages = usageOf(allTasks(drafts, otherTasks), now);
  const placements = scheduleTasks(unplaced, nodes, usages, networkPlugins);
  for (const draft of drafts) {
    for (const task of draft.tasks) {
      const placement = placements.get(task.ID);
      if (placement !== undefined) place(draft, task, placement);
    }
  }
}

function* allTasks(drafts: readonly ServiceDraft[], others: Iterable<TaskRecord>): Iterable<TaskRecord> {
  for (const draft of drafts) yield* draft.tasks;
  yield* others;
}

const pendingMessage = 'pending task scheduling';

function place(draft: ServiceDraft, task: TaskRecord, placement: Placement): void {
  const { Status: status } = task;
  if ('nodeId' in placement) {
    const message = 'scheduler assigned task to node';
    const { genericResources: given, nodeId } = placement;
    draft.change(task, {
      NodeID: nodeId,
      ...(given.length > 0 && { GenericResources: given }),
      Status: { Timestamp: draft.now.text, State: 'assigned', Message: message },
    });
  } else if (status.State !== 'pending' || status.Err !== placement.reason) {
    draft.change(task, {
      Status: { Timestamp: draft.now.text, State: 'pending', Message: pendingMessage, Err: placement.reason },
    });
  }
}
