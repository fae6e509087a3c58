import { EventEmitter, once } from 'node:events';
import type {
  ClusterBatch,
  ClusterRecord,
  QuarantinedClusterRecord,
  RecordKind,
  WatchOptions,
} from '@gantry/core/contracts';
import { conflict, invalidArgument } from '@gantry/core/errors';
import { BatchHistory, type StoredBatch, type StoredChange } from './batch-history.js';
import { KindTable } from './kind-table.js';
import type { StoredRecord } from './stored-record.js';

/** A record that a transaction wrote or deleted. */
interface AppliedChange {
  readonly kind: string;
  readonly id: string;
  /** Absent for a deletion. */
  readonly stored?: StoredRecord;
}

/** All records of a store in memory, at one revision, with the changes that led there. */
export class Mirror {
  readonly #stored = new Map<string, Map<string, StoredRecord>>();
  readonly #tables = new Map<string, KindTable<unknown>>();
  readonly #history: BatchHistory;
  readonly #applied = new EventEmitter().setMaxListeners(0);
  #revision: number;

  /**
   * @param records in the order in which they were created.
   * @param history how many changes, at least, a watch may lie behind.
   * @param closed ends the watches.
   */
  constructor(
    records: Iterable<StoredRecord>,
    revision: number,
    history: number,
    private readonly closed: AbortSignal,
  ) {
    for (const record of records) this.#storedOf(record.kind).set(record.id, record);
    this.#revision = revision;
    this.#history = new BatchHistory(revision, history);
  }

  get revision(): number {
    return this.#revision;
  }

  get<T>(kind: RecordKind<T>, id: string): ClusterRecord<T> | undefined {
    return this.#table(kind).get(id);
  }

  byName<T>(kind: RecordKind<T>, name: string): ClusterRecord<T> | undefined {
    return this.#table(kind).byName(name);
  }

  list<T>(kind: RecordKind<T>): readonly ClusterRecord<T>[] {
    return this.#table(kind).list();
  }

  select<T>(kind: RecordKind<T>, index: string, key: string): readonly ClusterRecord<T>[] {
    return this.#table(kind).select(index, key);
  }

  quarantined(): readonly QuarantinedClusterRecord[] {
    const found: QuarantinedClusterRecord[] = [];
    for (const records of this.#stored.values()) {
      for (const { kind, id, fault: reason } of records.values()) {
        if (reason !== undefined) found.push({ kind, id, reason });
      }
    }
    return found;
  }

  /** The ids of all records there are, readable or not, by kind. */
  *keys(): Iterable<readonly [kind: string, id: string]> {
    for (const [kind, records] of this.#stored) for (const id of records.keys()) yield [kind, id];
  }

  /** The revision of a record, readable or not. */
  revisionOf(kind: string, id: string): number | undefined {
    return this.#stored.get(kind)?.get(id)?.revision;
  }

  /** Takes the changes of a transaction, and wakes the watches. One that was applied before is ignored. */
  apply(revision: number, applied: readonly AppliedChange[]): void {
    if (revision <= this.#revision) return;
    const changes = applied.map((change) => this.#applyChange(change));
    this.#revision = revision;
    if (changes.length > 0) this.#history.add({ revision, changes });
    this.#applied.emit('applied');
  }

  /** Resolves when the mirror shows a revision. Rejects when the signal aborts. */
  async reached(revision: number, signal: AbortSignal): Promise<void> {
    while (this.#revision < revision) await once(this.#applied, 'applied', { signal });
  }

  watch({ kinds, from = this.#revision, signal }: WatchOptions): AsyncIterable<ClusterBatch> {
    for (const kind of kinds) this.#table(kind);
    const watched = new Map(kinds.map((kind) => [kind.name, kind]));
    return this.#watch(watched, from, AbortSignal.any([signal, this.closed]));
  }

  async *#watch(
    kinds: ReadonlyMap<string, RecordKind<unknown>>,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<ClusterBatch, void> {
    let position = from;
    while (!signal.aborted) {
      const batches = this.#history.after(position);
      for (const batch of batches) {
        if (signal.aborted) return;
        position = batch.revision;
        const read = readBatch(batch, kinds);
        if (read.changes.length > 0) yield read;
      }
      if (batches.length > 0) continue;
      await once(this.#applied, 'applied', { signal }).catch(() => undefined); // aborted: the loop ends
    }
  }

  #applyChange({ kind, id, stored }: AppliedChange): StoredChange {
    const records = this.#storedOf(kind);
    const before = records.get(id);
    if (stored === undefined) records.delete(id);
    else records.set(id, stored);
    this.#tables.get(kind)?.apply(id, stored);
    return { kind, id, before, after: stored };
  }

  #storedOf(kind: string): Map<string, StoredRecord> {
    const records = this.#stored.get(kind) ?? new Map<string, StoredRecord>();
    this.#stored.set(kind, records);
    return records;
  }

  /** The table of a kind, made when the kind is first used. */
  #table<T>(kind: RecordKind<T>): KindTable<T> {
    const open = this.#tables.get(kind.name);
    if (open !== undefined && open.kind.version !== kind.version) {
      throw conflict(`records of kind ${kind.name} are open with version ${open.kind.version}, not ${kind.version}`);
    }
    if (open !== undefined) return open as unknown as KindTable<T>;
    if (!/^[a-z][a-z0-9-]*$/.test(kind.name)) throw invalidArgument(`"${kind.name}" is not a kind such as "node"`);
    const table = new KindTable(kind);
    for (const [id, stored] of this.#storedOf(kind.name)) table.apply(id, stored);
    this.#tables.set(kind.name, table as unknown as KindTable<unknown>);
    return table;
  }
}

function readBatch({ revision, changes }: StoredBatch, kinds: ReadonlyMap<string, RecordKind<unknown>>): ClusterBatch {
  const read = changes.flatMap(({ kind: name, id, before: old, after: now }) => {
    const kind = kinds.get(name);
    if (kind === undefined) return [];
    const before = old?.read(kind);
    const after = now?.read(kind);
    if (before === undefined && after === undefined) return [];
    return [{ kind: name, id, ...(before && { before }), ...(after && { after }) }];
  });
  return { revision, changes: read };
}
