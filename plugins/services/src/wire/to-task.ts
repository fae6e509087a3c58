import { networkKind } from '@gantry/cluster-networks/service';
import type { ClusterRecord, ClusterStore } from '@gantry/core/contracts';
import type { TaskAddress, TaskRecord, TaskStatus } from '../records/task-record.js';
import type { TaskState } from '../records/task-state.js';

/** Spec: task record. */
export function toTask(store: ClusterStore, record: ClusterRecord<TaskRecord>) {
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
    Status: toStatus(task),
    DesiredState: shownState(task),
    ...(task.Addresses !== undefined && {
      NetworksAttachments: task.Addresses.flatMap((each) => attachment(store, each)),
    }),
    ...(task.GenericResources !== undefined && { GenericResources: task.GenericResources }),
    ...(task.JobIteration !== undefined && { JobIteration: { Index: task.JobIteration } }),
  };
}

/** What a task of a job is to reach, as clients are shown it, is its completion. */
export const shownState = ({
  DesiredState: desired,
  JobIteration: iteration,
  Status: status,
}: TaskRecord): TaskState =>
  iteration !== undefined && (desired === 'running' || (desired === 'shutdown' && status.State === 'complete'))
    ? 'complete'
    : desired;

const toStatus = (task: TaskRecord) => ({ PortStatus: { Ports: [] }, ...shownStatus(task) });

/** A rejected task is shown as such while it is being stopped, too. */
const shownStatus = ({ RejectedAt: at, Status: status }: TaskRecord): TaskStatus =>
  at === undefined || status.State === 'orphaned'
    ? status
    : {
        ...status,
        Timestamp: at,
        State: 'rejected',
        Message: 'task rejected by constraint enforcer',
        Err: 'assigned node no longer meets constraints',
      };

/** Nothing for a network that is gone. */
function attachment(store: ClusterStore, { Addr: address, NetworkID: id }: TaskAddress) {
  const record = store.get(networkKind, id);
  if (record === undefined) return [];
  const { attachable, driver, driverOptions, ingress, internal, ipam, labels, name, options, pools, vxlanId } =
    record.value;
  const configs = pools.map(({ gateway, range, subnet }) => ({
    Subnet: subnet,
    ...(range !== undefined && { Range: range }),
    Gateway: gateway.replace(/\/\d+$/, ''),
  }));
  return [
    {
      Network: {
        ID: id,
        Version: { Index: record.revision },
        CreatedAt: record.createdAt,
        UpdatedAt: record.updatedAt,
        Spec: {
          Name: name,
          Labels: labels,
          DriverConfiguration: { Name: driver, ...(Object.keys(options).length > 0 && { Options: options }) },
          ...(internal && { Internal: true }),
          ...(attachable && { Attachable: true }),
          ...(ingress && { Ingress: true }),
          IPAMOptions: { Driver: { Name: ipam.driver } },
          Scope: 'swarm',
        },
        DriverState: {
          Name: driver,
          Options: driverOptions ?? { 'com.docker.network.driver.overlay.vxlanid_list': String(vxlanId) },
        },
        IPAMOptions: { Driver: { Name: ipam.driver }, Configs: configs },
      },
      Addresses: [address],
    },
  ];
}
