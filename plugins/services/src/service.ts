import type { GenericResource } from '@gantry/cluster/service';
import type { BalancedPort, NetworkTunnel } from '@gantry/core/contracts';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import type { NetworkNode, SwarmAttachment, SwarmNetwork, SwarmNetworkState } from '@gantry/networks/service';
import type { TaskStatus } from './records/task-record.js';
import type { TaskState } from './records/task-state.js';
import type { PortConfig, TaskSpec } from './spec/service-spec.js';

export type { ContainerStatus, TaskStatus } from './records/task-record.js';
export { compareStates, isFinal, type TaskState } from './records/task-state.js';
export { expandContainer } from './spec/expand-container.js';
export { modeOfPort, protocolOf } from './spec/ports.js';
export type { ContainerSpec, NetworkAttachment, PortConfig, ServiceMount, TaskSpec } from './spec/service-spec.js';
export { type TemplateNode, taskFields } from './templates/task-fields.js';

/** The connections of this engine's node with the managers of its swarm. */
export interface AgentSessions {
  /**
   * Calls `run` for each session, one after the other: when the engine becomes part of a swarm, and at its start when it
   * is. The signal aborts at the end of the session, which waits until `run` has resolved. All that follow the sessions may share
   * them. @returns ends it.
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
  /** Calls back after changes of the assignments, and of networks. @returns removes the listener. */
  onChange(listener: () => void): () => void;
  /** Resolves when the states are stored. Those of tasks that are gone, or behind the stored ones, are ignored. */
  report(reports: readonly TaskReport[]): Promise<void>;
  /** With what the images of a task are pulled. */
  credentialsOf(task: AssignedTask): Promise<RegistryCredentials | undefined>;
  /** The secrets and configs of a task. Rejects `not-found` naming one that is gone. */
  filesOf(task: AssignedTask): Promise<readonly TaskFile[]>;
  /** A network of the swarm that a task or container of this node is on; undefined when it is gone. */
  networkState(networkId: string): SwarmNetworkState | undefined;
  /** The nodes with endpoints on a network; none when nothing on this node is on it. Rejects `unavailable` without a connection. */
  nodesOn(networkId: string): Promise<readonly NetworkNode[]>;
  /** The address of a container of this node. See `SwarmNode.attach`. */
  attach(request: SwarmAttachment): Promise<string>;
  detach(networkId: string, containerId: string): Promise<void>;
  /** Releases the addresses of all containers of this node that are attached no more. */
  retainAttachments(attached: readonly AttachedContainer[]): Promise<void>;
  /** Networks of the swarm that a node without its store knows: those of its tasks, and those that containers may join. */
  networks(): readonly SwarmNetwork[];
  readonly traffic: AgentTraffic;
}

/** Which tasks get connections, and what this node has in effect of that. */
export interface AgentTraffic {
  /** The published ports of the cluster; undefined when there are none. */
  ingress(): IngressState | undefined;
  /** Of the networks and the published ports, as they are now. */
  revision(): number;
  /** The networks and published ports of a revision are in effect on this node. */
  applied(revision: number): Promise<void>;
  /** Resolves when no node sends new connections to a task that is to be stopped. */
  drain(taskId: string): Promise<void>;
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
  /** What it was given of this node's. */
  readonly genericResources: readonly GenericResource[];
  readonly desiredState: TaskState;
  readonly status: TaskStatus;
  /** Its networks of the swarm. */
  readonly networks: readonly AssignedNetwork[];
}

/** A network of a task as it is from the beginning; who else is on it comes and goes. */
export interface AssignedNetwork {
  readonly network: SwarmNetwork;
  readonly tunnel: NetworkTunnel;
  /** Of the task, with prefix length. */
  readonly address: string;
}

/** A container of a node that is on a network of the swarm. */
export interface AttachedContainer {
  readonly networkId: string;
  readonly containerId: string;
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

/** The ports that every node publishes, with the addresses of the tasks behind them on the ingress network. */
export interface IngressState {
  readonly network: SwarmNetwork;
  readonly ports: readonly BalancedPort[];
}

/** The sandbox on the ingress network through which a node publishes ports, as clients know it. */
export const meshSandbox = { id: 'ingress-sbox', name: 'ingress-endpoint' } as const;

/** Tasks, for areas that show something of them. */
export interface TaskDirectory {
  /** The tasks that a service, by id, name or prefix, or a task by id or prefix, stands for. Rejects as the routes do. */
  tasksOf(kind: 'service' | 'task', reference: string): Promise<readonly ListedTask[]>;
  /**
   * Calls back after each change of a task, of which there are no events, while this engine is a manager; once for all changes
   * that a reader may have missed. @returns removes the listener.
   */
  onChange(listener: () => void): () => void;
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

/** Engines without this package have no tasks. */
export const TaskDirectory: ServicePoint<TaskDirectory> = servicePoint<TaskDirectory>('task-directory', {
  fallback: () => ({
    tasksOf: async (kind, reference) => {
      throw notFound(`${kind} ${reference} not found`);
    },
    onChange: () => () => undefined,
  }),
});
