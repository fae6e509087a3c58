import type { RecordKind } from '@gantry/core/contracts';
import { isRecord } from '@gantry/core/driver';
import { portNames } from '../spec/ports.js';
import type { ServiceRecord } from './service-record.js';
import { isActive, isLive, reservesResources, type TaskRecord } from './task-record.js';
import { compareStates, isFinal, taskStates } from './task-state.js';

export const serviceKind: RecordKind<ServiceRecord> = {
  name: 'service',
  version: 1,
  parse(value) {
    if (!isRecord(value) || !isRecord(value.Spec)) throw new TypeError("the service's Spec is missing");
    return value as unknown as ServiceRecord;
  },
  // Names and published ports are taken by the transaction that creates the service, so that no two have the same.
  uniqueNames: ({ Ports: ports, Spec: spec }) => [spec.Name ?? '', ...portNames(ports)],
};

export const taskKind: RecordKind<TaskRecord> = {
  name: 'task',
  version: 1,
  parse(value) {
    if (!isRecord(value) || typeof value.ServiceID !== 'string') throw new TypeError("the task's ServiceID is missing");
    const { Status: status } = value;
    if (!isRecord(status) || !taskStates.some((state) => state === status.State)) {
      throw new TypeError("the task's state is unknown");
    }
    return value as unknown as TaskRecord;
  },
  indexes: {
    service: { keysOf: ({ ServiceID: service }) => [service] },
    node: { keysOf: ({ NodeID: node }) => (node === undefined ? [] : [node]) },
    network: { keysOf: networksOf },
    reserving: { keysOf: (task) => (isReserving(task) ? [task.NodeID ?? ''] : []) },
    unplaced: { keysOf: (task) => (isUnplaced(task) ? ['yes'] : []) },
  },
};

/** The networks on which it has an address that no other may have. */
function networksOf({ Addresses: addresses = [], Status: status }: TaskRecord): readonly string[] {
  return isFinal(status.State) ? [] : addresses.map(({ NetworkID: id }) => id);
}

/** It is to go on, and holds a part of what its node has. */
const isReserving = (task: TaskRecord): boolean => isLive(task) && isActive(task) && reservesResources(task);

/** It waits for a node. */
export const isUnplaced = ({ DesiredState: desired, Status: status }: TaskRecord): boolean =>
  compareStates(status.State, 'assigned') < 0 && compareStates(desired, 'running') <= 0;
