import type { Readable } from 'node:stream';
import type { ClusterChange, ClusterRecord, ClusterStore } from '@gantry/core/contracts';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { ClusterState } from './records/cluster-kind.js';
import type { GenericResource } from './records/generic-resources.js';
import type { SealedObject } from './records/sealed-kinds.js';

export { onCalendar } from './on-calendar.js';
export { type ClusterState, clusters, type SwarmSpec } from './records/cluster-kind.js';
export { enginePlatform } from './records/engine-platform.js';
export { actionOf, eachChange, followBatches, followRecords, type RecordFollower } from './records/follow-records.js';
export type { GenericResource } from './records/generic-resources.js';
export { newId } from './records/new-id.js';
export { type NodeDescription, type NodeSpec, type NodeState, type NodeStatus, nodes } from './records/node-kind.js';
export { configs, type SealedObject, type SealedSpec, secrets } from './records/sealed-kinds.js';

/** The swarm that this engine is a manager of, for the areas that keep their records in its store. */
export interface ClusterService {
  /**
   * The session of a manager. @throws EngineError `not-acceptable` outside of a swarm or on a worker, and `unavailable`
   * while the swarm is locked or its store cannot be opened.
   */
  manager(): Promise<ManagerSession>;
  /**
   * Calls back with every session of a manager from now on, and with the present one. The work has to end when the signal
   * of its session aborts: leaving waits for it, for half a minute at most, before the store is deleted. A failure is
   * logged. @returns ends the subscription.
   */
  whileManager(run: (session: ManagerSession) => Promise<void> | void): () => void;
  /** The content of a secret or config. @throws EngineError `internal` when its seal is broken. */
  contentOf(object: ClusterRecord<SealedObject>): Buffer;
  /** Encrypts what must not be readable in the store, such as credentials. @throws EngineError as `manager` rejects. */
  seal(content: Buffer): string;
  /** @throws EngineError `internal` when the seal is broken. */
  unseal(sealed: string): Buffer;
  /** Records that every new swarm has from its first transaction on. @returns takes the source out again. */
  addInitialRecords(source: (cluster: ClusterState) => readonly ClusterChange[]): () => void;
  /**
   * Runs a change of records that refer to secrets, configs or networks: none of these is removed while it checks them and
   * stores the change, for their removal runs in this way, too. Only the leader changes records, so this engine is enough.
   */
  keepingReferences<T>(change: () => Promise<T>): Promise<T>;
  /** Who uses secrets and configs, asked before their removal. @returns takes the source out again. */
  addUsers(users: SealedObjectUsers): () => void;
}

/** The time for which this engine is a manager of one swarm, without interruption. */
export interface ManagerSession {
  readonly store: ClusterStore;
  readonly nodeId: string;
  /** Aborts when the engine leaves the swarm, with the reason `left`, or when it stops: its containers go on then. */
  readonly signal: AbortSignal;
}

/** Services, as secrets and configs see them. */
export interface SealedObjectUsers {
  /** Names of the services that use the secret or config of an id. */
  usersOf(session: ManagerSession, id: string): readonly string[];
}

export const ClusterService: ServicePoint<ClusterService> = servicePoint<ClusterService>('cluster');

/** The connections between the nodes of a swarm: every node that does not lead has one with the leader. */
export interface NodeConnections {
  /**
   * Calls back with every session of this engine as a node that does not lead, and with the present one. The work has to end
   * when the signal of its session aborts. A failure is logged. @returns ends the subscription.
   */
  whileNode(run: (session: NodeSession) => Promise<void> | void): () => void;
  /** Answers the calls of nodes at a path, while this engine leads. @returns removes the path. */
  answer(path: string, answer: (request: AnsweredRequest) => Promise<unknown>): () => void;
  /**
   * As `answer`, with one JSON value after the other until the signal of the request aborts. Bytes are lines of JSON that are
   * encoded already.
   */
  answerStream(path: string, answer: (request: AnsweredRequest) => AsyncIterable<unknown>): () => void;
  /** As `answer`, for bytes that a node sends. */
  answerUpload(path: string, answer: (request: AnsweredRequest, bytes: Readable) => Promise<void>): () => void;
}

/** The request of another node, which is one of the swarm. */
export interface AnsweredRequest {
  readonly session: ManagerSession;
  readonly nodeId: string;
  /** JSON: to be parsed. */
  readonly body: unknown;
  /** Aborts when the node ends the request, when its connection breaks, and with the session. */
  readonly signal: AbortSignal;
}

/** The time for which this engine is a node of one swarm that does not lead, over broken connections. */
export interface NodeSession {
  readonly nodeId: string;
  readonly hostname: string;
  /** Aborts with the reason `left` when the engine leaves the swarm or was removed; otherwise its containers go on. */
  readonly signal: AbortSignal;
  /** Rejects as the leader does, and `unavailable` while there is no connection. */
  call(path: string, body: unknown): Promise<unknown>;
  /** Waits for a connection, and throws as `call` rejects when it breaks. */
  stream(path: string, body: unknown, signal: AbortSignal): AsyncIterable<unknown>;
  /** Sends bytes behind a message. Waits for a connection, and rejects as `call` does. */
  upload(path: string, message: unknown, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
}

export const NodeConnections: ServicePoint<NodeConnections> = servicePoint<NodeConnections>('node-connections');

/** How the tasks of a node see clients of published ports. */
export type ClientAddresses =
  /** By their own addresses. */
  | { readonly kept: true }
  /** By an address of the mesh of the node that was asked. The reason is for operators. */
  | { readonly kept: false; readonly reason: string };

/** What `info` and `_ping` say of the swarm, and what a node says of its engine. */
export interface ClusterInfo {
  /** `Swarm` of `info`. */
  describe(): Readonly<Record<string, unknown>>;
  /** The header `Swarm` of `_ping`: `inactive`, `pending`, `error`, `locked`, `active/manager`, `active/worker`. */
  readonly headline: string;
  /** What tasks may reserve on this node beside processors and memory. */
  readonly genericResources: readonly GenericResource[];
  /** Labels of this engine, which its node shows. */
  setEngineLabels(labels: readonly string[]): void;
  /** What the node's agent has found out, for the node's record and `info`. */
  setClientAddresses(addresses: ClientAddresses): void;
  /** For `Warnings` of `info`. */
  readonly warnings: readonly string[];
  /**
   * Calls back when this engine has joined or left a swarm, has another role in it, leads or does not, reaches the leader or
   * does not: of a worker there are no events. @returns removes the listener.
   */
  onChange(listener: () => void): () => void;
}

/** Engines without this package are not part of a swarm. */
export const ClusterInfo: ServicePoint<ClusterInfo> = servicePoint<ClusterInfo>('cluster-info', {
  fallback: () => ({
    describe: () => inactiveSwarm,
    headline: 'inactive',
    genericResources: [],
    setEngineLabels: () => undefined,
    setClientAddresses: () => undefined,
    warnings: [],
    onChange: () => () => undefined,
  }),
});

const inactiveSwarm = {
  NodeID: '',
  NodeAddr: '',
  LocalNodeState: 'inactive',
  ControlAvailable: false,
  Error: '',
  RemoteManagers: null,
};
