import { isDeepStrictEqual } from 'node:util';
import { networkKind } from '@gantry/cluster-networks/service';
import { type ClusterStore, changeOf, type RecordChange } from '@gantry/core/contracts';
import { tunnelOf } from '../endpoints/network-state.js';
import { taskKind } from '../records/record-kinds.js';
import { type TaskRecord, taskName } from '../records/task-record.js';
import { compareStates } from '../records/task-state.js';
import type { AssignedTask } from '../service.js';

/** The tasks that a node has to run, or has run and keeps. */
export const tasksOf = (store: ClusterStore, nodeId: string): readonly AssignedTask[] =>
  store
    .select(taskKind, 'node', nodeId)
    .map(({ value }) => value)
    .filter(isAssigned)
    .map((task) => toAssigned(store, nodeId, task));

/** A task of a node as it is now; undefined when it is not the node's. */
export function taskOf(store: ClusterStore, nodeId: string, taskId: string): AssignedTask | undefined {
  const task = store.get(taskKind, taskId)?.value;
  return task !== undefined && task.NodeID === nodeId && isAssigned(task) ? toAssigned(store, nodeId, task) : undefined;
}

/** The nodes whose assignments a change concerns. What a node has reported itself is no news for it. */
export function nodesOf(change: RecordChange): ReadonlySet<string> {
  const task = changeOf(taskKind, change);
  const [before, after] = [task?.before?.value, task?.after?.value];
  if (before !== undefined && after !== undefined && isSameAssignment(before, after)) return new Set();
  return new Set([before?.NodeID, after?.NodeID].filter((id) => id !== undefined));
}

function isSameAssignment(before: TaskRecord, after: TaskRecord): boolean {
  if (before.DesiredState !== after.DesiredState || isAssigned(before) !== isAssigned(after)) return false;
  const { StartedAt: _startedBefore, Status: _statusBefore, ...assigned } = before;
  const { StartedAt: _startedAfter, Status: _statusAfter, ...reassigned } = after;
  return isDeepStrictEqual(assigned, reassigned);
}

/** Tasks of global services have a node before they are placed. */
const isAssigned = (task: TaskRecord): boolean =>
  task.Attachment === undefined && compareStates(task.Status.State, 'assigned') >= 0;

const toAssigned = (store: ClusterStore, nodeId: string, task: TaskRecord): AssignedTask => ({
  id: task.ID,
  name: taskName(task),
  slot: task.Slot,
  serviceId: task.ServiceID,
  serviceName: task.ServiceName,
  serviceLabels: task.ServiceLabels,
  spec: task.LogDriver === undefined ? task.Spec : { ...task.Spec, LogDriver: task.LogDriver },
  ports: task.Ports,
  genericResources: task.GenericResources ?? [],
  desiredState: task.DesiredState,
  status: task.Status,
  networks: (task.Addresses ?? []).flatMap(({ Addr: address, NetworkID: id }) => {
    const record = store.get(networkKind, id);
    const tunnel = tunnelOf(store, nodeId, id);
    if (record === undefined || tunnel === undefined) return [];
    return [{ network: { id, createdAt: record.createdAt, ...record.value }, tunnel, address }];
  }),
});
