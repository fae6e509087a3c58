import type { ClusterRecord } from '@gantry/core/contracts';
import type { TaskRecord, TaskStatus } from '../records/task-record.js';

/** Spec: task record. */
export function toTask(record: ClusterRecord<TaskRecord>) {
  const task = record.value;
  return {
    ID: record.id,
    Version: { Index: record.revision },
    CreatedAt: record.createdAt,
    UpdatedAt: record.updatedAt,
    Labels: {},
    Spec: { RestartPolicy: {}, Placement: {}, Resources: {}, ...task.Spec },
    ServiceID: task.ServiceID,
    ...(task.Slot !== undefined && { Slot: task.Slot }),
    ...(task.NodeID !== undefined && { NodeID: task.NodeID }),
    Status: toStatus(task.Status),
    DesiredState: task.DesiredState,
    ...(task.JobIteration !== undefined && { JobIteration: { Index: task.JobIteration } }),
  };
}

const toStatus = ({ PortStatus: ports = { Ports: [] }, ...status }: TaskStatus) => ({ ...status, PortStatus: ports });
