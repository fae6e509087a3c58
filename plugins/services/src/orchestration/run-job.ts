import type { ServiceRecord } from '../records/service-record.js';
import { isWanted, type TaskRecord } from '../records/task-record.js';
import { isFinal } from '../records/task-state.js';
import { constraintsOf, meetsConstraints } from '../scheduling/meets-constraints.js';
import { acceptsTasks } from '../scheduling/schedulable-node.js';
import { occupiedSlots } from './occupied-slots.js';
import type { ServiceDraft } from './service-draft.js';

/** Has a replicated job's tasks run until so many have completed, never more than allowed at once. */
export function runReplicatedJob(draft: ServiceDraft, service: ServiceRecord): void {
  removeEarlierRuns(draft, service);
  const { MaxConcurrent: limit, TotalCompletions: completions } = service.Spec.Mode?.ReplicatedJob ?? {};
  const concurrent = limit || 1;
  const total = completions || concurrent;
  // A slot counts whether its task runs, has completed or was given up: each is one of the job's completions.
  const slots = [...occupiedSlots(draft).values()].filter((task) => isOfRun(service, task));
  const running = slots.filter(isWanted).length;
  const missing = Math.min(concurrent - running, total - slots.length);
  const last = Math.max(0, ...slots.map(({ Slot: slot = 0 }) => slot));
  for (let index = 1; index <= missing; index++) draft.create(service, { Slot: last + index, DesiredState: 'ready' });
}

/** Has one task of a global job complete on every node that its constraints allow. */
export function runGlobalJob(draft: ServiceDraft, service: ServiceRecord): void {
  removeEarlierRuns(draft, service);
  const constraints = constraintsOf(service.Spec.TaskTemplate);
  const slots = [...occupiedSlots(draft).values()].filter((task) => isOfRun(service, task));
  const covered = new Set(slots.map(({ NodeID: node }) => node));
  for (const node of draft.surroundings.nodes.values()) {
    if (!covered.has(node.ID) && acceptsTasks(node) && meetsConstraints(node, constraints)) {
      draft.create(service, { NodeID: node.ID, DesiredState: 'ready' });
    }
  }
}

const isOfRun = (service: ServiceRecord, task: TaskRecord): boolean =>
  task.JobIteration === service.JobStatus?.Iteration;

/** Those that have ended are history. */
function removeEarlierRuns(draft: ServiceDraft, service: ServiceRecord): void {
  for (const task of draft.tasks) {
    if (isOfRun(service, task) || isFinal(task.Status.State) || task.DesiredState === 'remove') continue;
    draft.change(task, { DesiredState: 'remove' });
  }
}
