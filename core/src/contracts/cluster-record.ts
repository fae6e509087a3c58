/**
 * A kind of record in the cluster store, such as `node` or `task`: declared once by the package that owns it, and used
 * by every package that reads it. Two declarations of one name must be of the same version.
 */
export interface RecordKind<T> {
  /** `[a-z][a-z0-9-]*`, unique in one store. */
  readonly name: string;
  /** Of the record's shape; raised with every change that old records need a migration for. */
  readonly version: number;
  /** From version N (the key) to N + 1. */
  readonly migrations?: Readonly<Record<number, (old: unknown) => unknown>>;
  /** Checks a stored value. A record for which it throws is quarantined with that reason. */
  parse(value: unknown): T;
  /** Names that at most one record of the kind has at a time; a transaction that would break this is rejected. */
  uniqueNames?(value: T): readonly string[];
  /** Further ways to find records, by the name of the index: see `ClusterStore.select`. */
  readonly indexes?: Readonly<Record<string, RecordIndex<T>>>;
}

export interface RecordIndex<T> {
  /** The keys that a record is found under. A record for which it throws is refused, and quarantined when it is stored. */
  keysOf(value: T): readonly string[];
}

/** A record as it was written by one transaction. It never changes; an update makes another one. */
export interface ClusterRecord<T> {
  readonly id: string;
  /** Of the transaction that wrote it: greater than that of every earlier one. The API's `Version.Index`. */
  readonly revision: number;
  /** RFC 3339, from the clock of the member that created the record. */
  readonly createdAt: string;
  /** RFC 3339, from the clock of the member that wrote this revision. */
  readonly updatedAt: string;
  /** JSON-like; must not be changed. */
  readonly value: T;
}

/** One change of a transaction. A transaction has at most one for each record. */
export type ClusterChange =
  | { readonly type: 'create'; readonly kind: RecordKind<unknown>; readonly id: string; readonly value: unknown }
  | {
      readonly type: 'update';
      readonly kind: RecordKind<unknown>;
      readonly id: string;
      readonly revision: number;
      readonly value: unknown;
    }
  | { readonly type: 'delete'; readonly kind: RecordKind<unknown>; readonly id: string; readonly revision: number }
  /** Changes nothing: the transaction is rejected unless the record has this revision. */
  | { readonly type: 'expect'; readonly kind: RecordKind<unknown>; readonly id: string; readonly revision: number };

/** A record that must not exist yet. */
export const createRecord = <T>(kind: RecordKind<T>, id: string, value: T): ClusterChange => ({
  type: 'create',
  kind,
  id,
  value,
});

/** Another value for a record, if it still has the revision of `record`. */
export const updateRecord = <T>(kind: RecordKind<T>, record: RecordVersion, value: T): ClusterChange => ({
  type: 'update',
  kind,
  id: record.id,
  revision: record.revision,
  value,
});

/** Deletes a record, if it still has the revision of `record`. */
export const deleteRecord = <T>(kind: RecordKind<T>, record: RecordVersion): ClusterChange => ({
  type: 'delete',
  kind,
  id: record.id,
  revision: record.revision,
});

/** Lets a transaction happen only if a record that it does not change still has the revision of `record`. */
export const expectRecord = <T>(kind: RecordKind<T>, record: RecordVersion): ClusterChange => ({
  type: 'expect',
  kind,
  id: record.id,
  revision: record.revision,
});

/** A record at one revision. Every `ClusterRecord` is one. */
export interface RecordVersion {
  readonly id: string;
  readonly revision: number;
}

/** What one transaction did to the records of the watched kinds. */
export interface ClusterBatch {
  readonly revision: number;
  readonly changes: readonly RecordChange[];
}

/** A change that happened: created without `before`, deleted without `after`. */
export interface RecordChange<T = unknown> {
  readonly kind: string;
  readonly id: string;
  readonly before?: ClusterRecord<T>;
  readonly after?: ClusterRecord<T>;
}

/** The change as one of a kind's records, or undefined if it is of another kind. */
export const changeOf = <T>(kind: RecordKind<T>, change: RecordChange): RecordChange<T> | undefined =>
  change.kind === kind.name ? (change as RecordChange<T>) : undefined;
