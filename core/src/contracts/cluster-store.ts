import type { Readable } from 'node:stream';
import { type DriverPoint, driverPoint } from '../kernel/points/driver-point.js';
import type { ClusterBatch, ClusterChange, ClusterRecord, RecordKind } from './cluster-record.js';

/**
 * # Cluster store: the records of a swarm, the same on every manager
 *
 * Glossary. A *member* is one manager's part of the store; a *voter* takes part in decisions, a *learner* only follows.
 * The *mirror* is a member's copy of all records in memory. A *revision* numbers the transactions of a store, ascending.
 * The *leader* is the one member that orchestrates; its *epoch* is greater than that of every leader before it.
 *
 * Reads are synchronous, from the mirror; they see every transaction of this member that has resolved, and those of
 * other members a little later. A store that cannot decide (no quorum, a dead process) rejects transactions as
 * `unavailable` after a deadline, and reads show what was last known.
 */
export interface ClusterStoreDriver {
  readonly capabilities: ClusterStoreCapabilities;

  /** There is a member of a store in the driver's directory, whether it is open or not. Costs a file lookup at most. */
  exists(): boolean;

  /** Makes a store with this member as its only one, and opens it. Rejects `conflict` when there is one. */
  create(options: CreateStoreOptions): Promise<ClusterStore>;

  /**
   * Opens the member that is there; the same store when it is open. Rejects `not-found` when there is none, and
   * `unavailable` when it cannot be opened, which may succeed later.
   */
  open(options?: { readonly signal?: AbortSignal }): Promise<ClusterStore>;

  /**
   * Opens the member that is there as the only one of its store, with every record it has: for a store that lost its
   * quorum. The other members must not be started again. An open store is closed first.
   */
  recover(options?: { readonly signal?: AbortSignal }): Promise<ClusterStore>;

  /** Closes the store and deletes this member with all its records. Without a member: resolves. */
  destroy(): Promise<void>;
}

export interface ClusterStoreCapabilities {
  /** Resolved transactions survive a power cut. False for drivers that keep records in memory. */
  readonly durable: boolean;
  /** Other members can be added. */
  readonly members: boolean;
  /** Changes that one transaction may have. */
  readonly maxChanges: number;
  /** Revisions, at least, that a watch may lie behind. */
  readonly history: number;
}

export interface CreateStoreOptions {
  /** Names this member in the store: `[a-z0-9-]+`. */
  readonly name: string;
  readonly signal?: AbortSignal;
}

export interface ClusterStore {
  /** Names the store; another one has another id. */
  readonly id: string;
  readonly memberId: string;
  /** Of the newest transaction in the mirror. */
  readonly revision: number;
  /** Aborts when the store is closed: by the end of the driver, `destroy` or `recover`. */
  readonly closed: AbortSignal;

  /** The record of an id, or undefined. */
  get<T>(kind: RecordKind<T>, id: string): ClusterRecord<T> | undefined;
  /** The record that has this unique name, or undefined. */
  byName<T>(kind: RecordKind<T>, name: string): ClusterRecord<T> | undefined;
  /** All records of a kind, in the order in which they were created. */
  list<T>(kind: RecordKind<T>): readonly ClusterRecord<T>[];
  /** The records that are found under a key of an index of the kind, in no particular order. */
  select<T>(kind: RecordKind<T>, index: string, key: string): readonly ClusterRecord<T>[];
  /** Records that could not be read. They are not listed, and stay in the store. */
  quarantined(): readonly QuarantinedClusterRecord[];

  /**
   * Applies all changes, or none. Resolves with the transaction's revision when a majority of voters has it durably and
   * the mirror shows it. Rejects with `TransactionConflict` when a comparison fails, `invalid-argument` for too many
   * changes or two of one record, and `unavailable` at the deadline: whether it happened is then unknown, and the mirror
   * shows it when it did.
   */
  transact(changes: readonly ClusterChange[], options?: TransactOptions): Promise<number>;

  /**
   * Every transaction after revision `from` (by default: after the mirror's present one) that touches one of the kinds,
   * in order, none twice and none missing; when it is yielded the mirror shows at least its revision. Ends when the signal
   * aborts or the store is closed. Throws `WatchCompacted` when the reader lies too far behind.
   */
  watch(options: WatchOptions): AsyncIterable<ClusterBatch>;

  /** Resolves when the mirror shows every transaction that had resolved on any member before the call. */
  synchronize(options?: { readonly signal?: AbortSignal }): Promise<void>;

  readonly leadership: LeadershipView;
  readonly members: ClusterMembers;

  /** A consistent copy of all records at one revision, in the driver's own format. The caller ends the stream. */
  snapshot(options?: { readonly signal?: AbortSignal }): Promise<Readable>;
}

export interface TransactOptions {
  /** Rejects with `TransactionConflict` of `leadership` unless this is the epoch of the present leader. */
  readonly epoch?: number;
  readonly signal?: AbortSignal;
}

export interface WatchOptions {
  readonly kinds: readonly RecordKind<unknown>[];
  readonly from?: number;
  readonly signal: AbortSignal;
}

export interface QuarantinedClusterRecord {
  readonly kind: string;
  readonly id: string;
  /** One line, fit for a log and for an operator. */
  readonly reason: string;
}

export type Leadership =
  | { readonly role: 'leader'; readonly epoch: number }
  /** Without `leader` none is known: an election, or no quorum. */
  | { readonly role: 'follower'; readonly leader?: string };

export interface LeadershipView {
  readonly current: Leadership;
  /** Calls back after every change, not for the present state. @returns removes the listener. */
  onChange(listener: (leadership: Leadership) => void): () => void;
}

export interface ClusterMembers {
  list(options?: { readonly signal?: AbortSignal }): Promise<readonly ClusterMember[]>;
  /** Adds a learner, reached by other members at `address`. Rejects `conflict` while there is another learner. */
  add(member: { readonly name: string; readonly address: string }): Promise<ClusterMember>;
  /** Makes a learner a voter. Rejects `unavailable` while it lies too far behind, `conflict` when it is a voter. */
  promote(id: string): Promise<void>;
  /** Rejects `not-found`, and `conflict` for the last voter. */
  remove(id: string): Promise<void>;
}

export interface ClusterMember {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly role: 'voter' | 'learner';
}

export const ClusterStoreDrivers: DriverPoint<ClusterStoreDriver> = driverPoint<ClusterStoreDriver>(
  'cluster-store',
  '1.0',
  ['exists', 'create', 'open', 'recover', 'destroy'],
);
