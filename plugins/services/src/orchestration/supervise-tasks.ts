import type { ServiceRecord } from '../records/service-record.js';
import { isActive, isLive, isWanted, type TaskRecord } from '../records/task-record.js';
import { isFinal } from '../records/task-state.js';
import { constraintsOf, meetsConstraints } from '../scheduling/meets-constraints.js';
import { hasToBeLeft } from '../scheduling/schedulable-node.js';
import { isGlobal } from '../spec/service-mode.js';
import { later } from './moment.js';
import { countedRestarts, restartDelayOf, shouldRestart } from './restart-policy.js';
import type { ServiceDraft } from './service-draft.js';

/**
 * Replaces tasks that have ended, and those whose node is drained, down or gone, as their restart policy says. Those whose
 * node does not meet the constraints of the service or has no room for their reservations any more have failed.
 */
export function superviseTasks(draft: ServiceDraft, service: ServiceRecord): void {
  const isRejected = rejection(draft, service);
  for (const tasks of draft.slots().values()) {
    const ended = tasks.filter((task) => isWanted(task) && isFinal(task.Status.State) && !isDelayed(draft, task));
    const lost = tasks.filter((task) => isLive(task) && hasLostNode(draft, task));
    const rejected = tasks.filter((task) => isLive(task) && !lost.includes(task) && isRejected(task));
    for (const task of [...ended, ...lost]) draft.stop(task);
    for (const task of rejected) draft.stop(task, { RejectedAt: draft.now.text });
    const newest = [...ended, ...lost, ...rejected].at(-1);
    if (newest === undefined || !isCurrentRun(service, newest)) continue;
    // An older task that an update has left running does not replace the updated one.
    const isSuccessor = (task: TaskRecord): boolean =>
      isLive(task) && [newest.SpecVersion, service.SpecVersion].includes(task.SpecVersion);
    if (tasks.some((task) => isSuccessor(task) && !lost.includes(task) && !rejected.includes(task))) continue;
    const isLost = lost.includes(newest);
    // The node of a global task is its slot: it gets a task again when it is allowed again.
    if (isGlobal(service.Spec) && (isLost || rejected.includes(newest) || isPaused(draft, newest))) continue;
    if (shouldRestart(newest, draft.now))
      replace(draft, service, newest, isLost ? 0 : restartDelayOf(newest.Spec.RestartPolicy));
  }
}

/** Whether an active node must not go on with a task. Outdated tasks are left to the update that replaces them. */
function rejection(draft: ServiceDraft, service: ServiceRecord): (task: TaskRecord) => boolean {
  const constraints = constraintsOf(service.Spec.TaskTemplate);
  const { nodes, overcommitted } = draft.surroundings;
  return (task) => {
    const node = nodes.get(task.NodeID ?? '');
    if (node === undefined || !isActive(task) || node.Spec.Availability !== 'active') return false;
    if (overcommitted.has(task.ID)) return true;
    return !meetsConstraints(node, constraints) && !isAwaitingUpdate(service, task);
  };
}

function isAwaitingUpdate({ SpecVersion: version, UpdateStatus: status }: ServiceRecord, task: TaskRecord): boolean {
  const isPaused = status?.State === 'paused' || status?.State === 'rollback_paused';
  return task.SpecVersion !== version && !isPaused;
}

/**
 * It has ended before it was to start, as when its image does not exist: its place is kept until then, or it would be
 * replaced over and over without a delay.
 */
function isDelayed(draft: ServiceDraft, { DesiredState: desired, StartAfter: startAfter }: TaskRecord): boolean {
  const at = startAfter === undefined || desired !== 'ready' ? 0 : Date.parse(startAfter);
  if (at <= draft.now.ms) return false;
  draft.wake(at);
  return true;
}

const isCurrentRun = (service: ServiceRecord, task: TaskRecord): boolean =>
  task.JobIteration === service.JobStatus?.Iteration;

function hasLostNode(draft: ServiceDraft, task: TaskRecord): boolean {
  if (task.NodeID === undefined || (!isActive(task) && task.Slot !== undefined)) return false;
  return hasToBeLeft(draft.surroundings.nodes.get(task.NodeID));
}

const isPaused = (draft: ServiceDraft, { NodeID: nodeId = '' }: TaskRecord): boolean =>
  draft.surroundings.nodes.get(nodeId)?.Spec.Availability === 'pause';

function replace(draft: ServiceDraft, service: ServiceRecord, ended: TaskRecord, delay: number): void {
  const { NodeID: nodeId, Slot: slot } = ended;
  const isSameSpec = ended.SpecVersion === service.SpecVersion;
  const counts = isSameSpec && (ended.Spec.RestartPolicy?.MaxAttempts ?? 0) > 0;
  draft.create(service, {
    ...(slot === undefined ? onNode(nodeId) : { Slot: slot }),
    DesiredState: 'ready',
    ...(delay > 0 && { StartAfter: later(draft.now, delay) }),
    ...(counts && { Restarts: [...countedRestarts(ended, draft.now), draft.now.text] }),
  });
}

const onNode = (nodeId: string | undefined): Partial<TaskRecord> => (nodeId === undefined ? {} : { NodeID: nodeId });
