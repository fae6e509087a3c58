import type { ServiceRecord } from '../records/service-record.js';
import { isActive, isLive, type TaskRecord } from '../records/task-record.js';
import { compareStates, isFinal } from '../records/task-state.js';
import { hasToBeLeft } from '../scheduling/schedulable-node.js';
import { isGlobal } from '../spec/service-mode.js';
import { later } from './moment.js';
import { countedRestarts, restartDelayOf, shouldRestart } from './restart-policy.js';
import type { ServiceDraft } from './service-draft.js';

/** Replaces tasks that have ended, and those whose node is drained, down or gone, as their restart policy says. */
export function superviseTasks(draft: ServiceDraft, service: ServiceRecord): void {
  for (const tasks of draft.slots().values()) {
    const ended = tasks.filter((task) => isWanted(task) && isFinal(task.Status.State));
    const lost = tasks.filter((task) => isLive(task) && hasLostNode(draft, task));
    for (const task of [...ended, ...lost]) draft.change(task, { DesiredState: 'shutdown' });
    const newest = [...ended, ...lost].at(-1);
    if (newest === undefined || !isCurrentRun(service, newest)) continue;
    // An older task that an update has left running does not replace the updated one.
    const isSuccessor = (task: TaskRecord): boolean =>
      isLive(task) && [newest.SpecVersion, service.SpecVersion].includes(task.SpecVersion);
    if (tasks.some((task) => isSuccessor(task) && !lost.includes(task))) continue;
    const isLost = lost.includes(newest);
    // The node of a global task is its slot: it gets a task again when it is back.
    if (isLost && isGlobal(service.Spec)) continue;
    if (shouldRestart(newest, draft.now))
      replace(draft, service, newest, isLost ? 0 : restartDelayOf(newest.Spec.RestartPolicy));
  }
}

const isWanted = (task: TaskRecord): boolean => compareStates(task.DesiredState, 'running') <= 0;

const isCurrentRun = (service: ServiceRecord, task: TaskRecord): boolean =>
  task.JobIteration === service.JobStatus?.Iteration;

function hasLostNode(draft: ServiceDraft, task: TaskRecord): boolean {
  if (task.NodeID === undefined || (!isActive(task) && task.Slot !== undefined)) return false;
  return hasToBeLeft(draft.surroundings.nodes.get(task.NodeID));
}

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
