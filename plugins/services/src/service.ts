import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import type { TaskStatus } from './records/task-record.js';
import type { TaskState } from './records/task-state.js';
import type { PortConfig, TaskSpec } from './spec/service-spec.js';

export type { ContainerStatus, TaskStatus } from './records/task-record.js';
export { compareStates, isFinal, type TaskState } from './records/task-state.js';
export { modeOfPort, protocolOf } from './spec/ports.js';
export type { ContainerSpec, NetworkAttachment, PortConfig, ServiceMount, TaskSpec } from './spec/service-spec.js';

/** The connections of this engine's node with the managers of its swarm. */
export interface AgentSessions {
  /**
   * Calls `run` for each session, one after the other: when the engine becomes part of a swarm, and at its start when it
   * is. The signal aborts at the end of the session, which waits until `run` has resolved. @returns ends it.
   */
  onSession(run: (session: AgentSession) => Promise<void>): () => void;
}

/** One session: what a node has to run, and what it reports. */
export interface AgentSession {
  readonly nodeId: string;
  readonly hostname: string;
  readonly signal: AbortSignal;
  /** The engine has left the swarm, or is leaving it: its tasks end. Otherwise they go on without it. */
  hasLeft(): boolean;
  /** All tasks of the node, also those that have ended and are kept. */
  assignments(): readonly AssignedTask[];
  /** Calls back after changes of the assignments. @returns removes the listener. */
  onChange(listener: () => void): () => void;
  /** Resolves when the states are stored. Those of tasks that are gone, or behind the stored ones, are ignored. */
  report(reports: readonly TaskReport[]): Promise<void>;
  /** With what the images of a task are pulled. */
  credentialsOf(task: AssignedTask): RegistryCredentials | undefined;
  /** The secrets and configs of a task. Rejects `not-found` naming one that is gone. */
  filesOf(task: AssignedTask): Promise<readonly TaskFile[]>;
  /** Running tasks that publish ports of the cluster, on any node. */
  publishedServices(): readonly PublishedService[];
}

export interface AssignedTask {
  readonly id: string;
  /** `service.slot.id`, or `service.node.id`. */
  readonly name: string;
  readonly slot: number | undefined;
  readonly serviceId: string;
  readonly serviceName: string;
  readonly serviceLabels: Readonly<Record<string, string>>;
  readonly spec: TaskSpec;
  readonly ports: readonly PortConfig[];
  readonly desiredState: TaskState;
  readonly status: TaskStatus;
}

export interface TaskReport {
  readonly taskId: string;
  readonly status: TaskStatus;
}

export interface TaskFile {
  readonly kind: 'secret' | 'config';
  readonly id: string;
  readonly name: string;
  /** A path in the container; relative ones are below /run/secrets for secrets, and / for configs. */
  readonly target: string;
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
  readonly data: Buffer;
}

/** A port of the cluster, and the tasks of this node that answer on it. */
export interface PublishedService {
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  readonly publishedPort: number;
  readonly targets: readonly { readonly containerId: string; readonly port: number }[];
}

/** Tasks, for areas that show something of them. */
export interface TaskDirectory {
  /** The tasks that a service, by id, name or prefix, or a task by id or prefix, stands for. Rejects as the routes do. */
  tasksOf(kind: 'service' | 'task', reference: string): Promise<readonly ListedTask[]>;
}

export interface ListedTask {
  readonly id: string;
  readonly name: string;
  readonly serviceId: string;
  readonly nodeId: string;
  readonly containerId: string | undefined;
  readonly terminal: boolean;
}

export const AgentSessions: ServicePoint<AgentSessions> = servicePoint<AgentSessions>('agent-sessions');

export const TaskDirectory: ServicePoint<TaskDirectory> = servicePoint<TaskDirectory>('task-directory');
