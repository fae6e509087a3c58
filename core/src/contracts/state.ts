import { type DriverPoint, driverPoint } from '../kernel/points/driver-point.js';

/**
 * # State: typed collections of records, changed by atomic transactions
 *
 * Glossary. A *collection* holds records of one type under string keys. A *transaction* is a list of changes over any
 * number of collections that happens whole or not at all. A *quarantined* record is one that could not be read: it is
 * set aside and reported, and everything else goes on.
 *
 * Reads are synchronous and see every transaction that has resolved; they cost microseconds. There is one process on
 * one root: `create` rejects `unavailable` when another process holds it.
 */
export interface StateDriver {
  readonly capabilities: StateCapabilities;

  /**
   * Opens a collection, made when absent. Opening the same name twice returns the same collection.
   * Records of an older `version` are migrated when read; one whose migration or `parse` throws is quarantined.
   * @throws EngineError `conflict` when the name is open with another version, and when a record is of a newer version than
   *   the definition; then nothing was changed, so that the newer engine finds what it wrote.
   */
  collection<T>(definition: CollectionDefinition<T>): Collection<T>;

  /**
   * Runs `work` to collect changes, then applies them all. `work` is synchronous and may be called once only.
   * Resolves when the changes survive a crash of the process and, with `capabilities.durable`, of the host;
   * rejects with what `work` threw, or `unavailable` (disk full, I/O error), and then nothing was changed.
   * Transactions apply in the order in which `transaction` was called.
   */
  transaction<R>(work: (transaction: Transaction) => R): Promise<R>;

  /**
   * Writes a copy of the store into an empty directory: every transaction that has resolved is in it, and of one that runs
   * all or nothing. A driver whose own directory holds these files, and no others, has the records of that moment. Left
   * out by drivers that keep nothing. Rejects `unavailable` (disk full, I/O error).
   */
  snapshot?(directory: string): Promise<void>;
}

export interface StateCapabilities {
  /** Resolved transactions survive a power cut. False for drivers that keep records in memory. */
  readonly durable: boolean;
}

export interface CollectionDefinition<T> {
  /** `[a-z][a-z0-9-]*`, unique on one root. */
  readonly name: string;
  /** Of the record's shape; raised with every change that old records need a migration for. */
  readonly version: number;
  /** From version N (the key) to N + 1. */
  readonly migrations?: Readonly<Record<number, (old: unknown) => unknown>>;
  /** Checks a stored value. What it throws quarantines the record with that reason. */
  parse(value: unknown): T;
}

export interface Collection<T> {
  readonly name: string;
  /** The record, or undefined. The caller must not change it. */
  get(key: string): T | undefined;
  has(key: string): boolean;
  /** In key order (bytes). */
  entries(): Iterable<readonly [key: string, value: T]>;
  readonly size: number;
  /** One-change transaction. Values are JSON-like: no functions, no cycles; `undefined` fields are dropped. */
  put(key: string, value: T): Promise<void>;
  /** One-change transaction. Deleting an absent key resolves. */
  delete(key: string): Promise<void>;
  /** Records set aside since the collection was opened. Their bytes stay on disk until `discard`. */
  quarantined(): readonly QuarantinedRecord[];
  discard(key: string): Promise<void>;
}

export interface QuarantinedRecord {
  readonly collection: string;
  readonly key: string;
  /** One line, fit for a log and for an operator. */
  readonly reason: string;
}

export interface Transaction {
  /** Sees the changes this transaction made before. */
  get<T>(collection: Collection<T>, key: string): T | undefined;
  put<T>(collection: Collection<T>, key: string, value: T): void;
  delete<T>(collection: Collection<T>, key: string): void;
}

export const StateDrivers: DriverPoint<StateDriver> = driverPoint<StateDriver>('state', '1.0', [
  'collection',
  'transaction',
]);
