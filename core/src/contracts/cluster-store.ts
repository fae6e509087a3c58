import type { Duplex, Readable } from 'node:stream';
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

  /** Where the driver keeps its part of a store, for messages to operators. */
  readonly location: string;

  /** There is a member of a store in the driver's directory, whether it is open or not. Costs a file lookup at most. */
  exists(): boolean;

  /** Makes a store with this member as its only one, and opens it. Rejects `conflict` when there is one. */
  create(options: CreateStoreOptions): Promise<ClusterStore>;

  /**
   * Makes a member of another engine's store, which a member there has added, and starts it: it follows from then on.
   * Rejects `conflict` when there is one. Only with the capability `members`.
   */
  join?(options: JoinStoreOptions): Promise<void>;

  /**
   * Opens the member that is there; the same store when it is open. A member of several takes part in decisions
   * meanwhile, and the store opens when it leads. Rejects `not-found` when there is none, and `unavailable` when it cannot
   * be opened, which may succeed later.
   */
  open(options?: OpenStoreOptions): Promise<ClusterStore>;

  /**
   * Opens the member that is there as the only one of its store, with every record it has: for a store that lost its
   * quorum. The other members must not be started again. An open store is closed first.
   */
  recover(options?: OpenStoreOptions): Promise<ClusterStore>;

  /** Takes a connection that another member has opened to this one. Only with the capability `members`. */
  accept?(connection: Duplex): void;

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
  /**
   * Changes, at least, that a watch may lie behind: a transaction counts as many as it has, and a large record may count as
   * one for each 8 KiB of it.
   */
  readonly history: number;
}

export interface OpenStoreOptions {
  /** Without it the member reaches no other. */
  readonly transport?: MemberTransport;
  readonly signal?: AbortSignal;
}

export interface CreateStoreOptions extends OpenStoreOptions {
  /** Names this member in the store: `[a-z0-9-]+`, at most 32 characters. */
  readonly name: string;
}

export interface JoinStoreOptions extends CreateStoreOptions {
  /** The id of the store. */
  readonly id: string;
  /** Names of all its members, this one included. */
  readonly members: readonly string[];
}

/** How the members of a store reach each other: the engine authenticates and encrypts their connections. */
export interface MemberTransport {
  /** Names of the other members that there are connections to. */
  readonly members: readonly string[];
  /** Calls back after every change of `members`. @returns removes the listener. */
  onChange(listener: () => void): () => void;
  /** A connection of bytes to a member, which that one accepts. Rejects `unavailable`. */
  connect(member: string): Promise<Duplex>;
}

export interface ClusterStore {
  /** Names the store; another one has another id. */
  readonly id: string;
  readonly memberId: string;
  /** Of the newest transaction in the mirror. */
  readonly revision: number;
  /** Aborts when the store is closed: by the end of the driver, `destroy` or `recover`, and when this member leads no more. */
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
   * shows it when it did. Every transaction is compared with the epoch in which the store was opened: once another member
   * leads it rejects with a conflict of `leadership`, and the store is closed.
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
  /** Another epoch to compare with. */
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
  /** Adds a learner. Rejects `conflict` while there is another learner, and for a name that is taken. */
  add(member: { readonly name: string }): Promise<ClusterMember>;
  /** Makes a learner a voter. Rejects `unavailable` while it lies too far behind, `conflict` when it is a voter. */
  promote(id: string): Promise<void>;
  /** Rejects `not-found`, `conflict` for the last voter, and `unavailable` when too few voters would be left. */
  remove(id: string): Promise<void>;
  /** Makes another voter the leader. The store is closed then. Rejects `not-found`, and `unavailable` when it does not take over. */
  transferLeadership(id: string): Promise<void>;
}

export interface ClusterMember {
  readonly id: string;
  readonly name: string;
  readonly role: 'voter' | 'learner';
}

export const ClusterStoreDrivers: DriverPoint<ClusterStoreDriver> = driverPoint<ClusterStoreDriver>(
  'cluster-store',
  '1.0',
  ['exists', 'create', 'open', 'recover', 'destroy'],
);
