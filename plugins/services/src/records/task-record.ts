import type { GenericResource } from '@gantry/cluster/service';
import type { LogDriver, PortConfig, TaskSpec } from '../spec/service-spec.js';
import { compareStates, isFinal, type TaskState } from './task-state.js';

/** A task as stored. Fields have the API's names where it has them. */
export interface TaskRecord {
  readonly ID: string;
  /** RFC 3339, as all times here. */
  readonly CreatedAt: string;
  readonly ServiceID: string;
  /** From 1, of replicated services; absent for global ones, whose slot is the node. */
  readonly Slot?: number;
  /** Where it runs, or, of a global service, where it has to run. */
  readonly NodeID?: string;
  readonly Spec: TaskSpec;
  /** The swarm's default when the task was made, where its specification names none. */
  readonly LogDriver?: LogDriver;
  /** Of the service's task template, which it was made from. */
  readonly SpecVersion: number;
  readonly ServiceName: string;
  readonly ServiceLabels: Readonly<Record<string, string>>;
  /** The ports of the service when the task was made, with published ports assigned. */
  readonly Ports: readonly PortConfig[];
  readonly Status: TaskStatus;
  readonly DesiredState: TaskState;
  /** Its addresses on networks of the swarm, with prefix length, in the order of its specification. */
  readonly Addresses?: readonly TaskAddress[];
  /** What it was given of its node's, for what it reserves. */
  readonly GenericResources?: readonly GenericResource[];
  /** Of a container that is no task, which only has its addresses here. */
  readonly Attachment?: ContainerAttachment;
  /** Of jobs: which run of the job it belongs to. */
  readonly JobIteration?: number;
  /** It must not be started before. */
  readonly StartAfter?: string;
  /** When it reached `running`. */
  readonly StartedAt?: string;
  /** When its node no longer met its constraints or had no room for it: it is stopped, and shown as rejected from then on. */
  readonly RejectedAt?: string;
  /** Times of the earlier restarts in this slot that count against the restart policy's attempts. */
  readonly Restarts?: readonly string[];
}

export interface TaskAddress {
  readonly NetworkID: string;
  readonly Addr: string;
}

interface ContainerAttachment {
  readonly ContainerID: string;
  readonly ContainerName: string;
  readonly Aliases: readonly string[];
  readonly MacAddress?: string;
}

export interface TaskStatus {
  readonly Timestamp: string;
  readonly State: TaskState;
  readonly Message: string;
  readonly Err?: string;
  readonly ContainerStatus?: ContainerStatus;
  /** Ports published on the node, in the mode `host`. */
  readonly PortStatus?: { readonly Ports: readonly PortConfig[] };
}

export interface ContainerStatus {
  readonly ContainerID: string;
  readonly PID: number;
  readonly ExitCode: number;
}

/** It is to go on, or to be replaced when it has ended. */
export const isWanted = ({ DesiredState: desired }: TaskRecord): boolean => compareStates(desired, 'running') <= 0;

/** It has not ended, and is not to. */
export const isLive = (task: TaskRecord): boolean => isWanted(task) && !isFinal(task.Status.State);

/** Its containers may exist. */
export const isActive = (task: TaskRecord): boolean =>
  !isFinal(task.Status.State) && compareStates(task.Status.State, 'assigned') >= 0;

/** It holds a part of what its node has. */
export const reservesResources = ({ GenericResources: given = [], Spec: spec }: TaskRecord): boolean => {
  const { MemoryBytes: memory = 0, NanoCPUs: cpus = 0 } = spec.Resources?.Reservations ?? {};
  return memory > 0 || cpus > 0 || given.length > 0;
};

/** What distinguishes the places of a service: a number, or for global services the node. */
export const slotOf = (task: TaskRecord): string =>
  task.Slot === undefined ? `node ${task.NodeID ?? ''}` : `slot ${task.Slot}`;

/** Spec: name of a task and of its container. */
export const taskName = (task: TaskRecord): string =>
  `${task.ServiceName}.${task.Slot ?? task.NodeID ?? ''}.${task.ID}`;
