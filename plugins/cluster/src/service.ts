import type { ClusterRecord, ClusterStore } from '@gantry/core/contracts';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { SealedObject } from './records/sealed-kinds.js';

export { type ClusterState, clusters, type SwarmSpec } from './records/cluster-kind.js';
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

/** What `info` and `_ping` say of the swarm, and what a node says of its engine. */
export interface ClusterInfo {
  /** `Swarm` of `info`. */
  describe(): Readonly<Record<string, unknown>>;
  /** The header `Swarm` of `_ping`: `inactive`, `pending`, `error`, `locked`, `active/manager`, `active/worker`. */
  readonly headline: string;
  /** Labels of this engine, which its node shows. */
  setEngineLabels(labels: readonly string[]): void;
}

/** Engines without this package are not part of a swarm. */
export const ClusterInfo: ServicePoint<ClusterInfo> = servicePoint<ClusterInfo>('cluster-info', {
  fallback: () => ({
    describe: () => inactiveSwarm,
    headline: 'inactive',
    setEngineLabels: () => undefined,
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
