import type { ClusterRecord, RecordKind } from '@gantry/core/contracts';
import { keysOf } from './keys-of.js';
import type { StoredRecord } from './stored-record.js';

/** The readable records of one kind, found by id, by unique name and by the keys of its indexes. */
export class KindTable<T> {
  readonly #records = new Map<string, ClusterRecord<T>>();
  readonly #names = new Map<string, string>();
  readonly #indexes: ReadonlyMap<string, Map<string, Set<string>>>;
  /** All records, until one changes. */
  #listed: readonly ClusterRecord<T>[] | undefined;

  constructor(readonly kind: RecordKind<T>) {
    this.#indexes = new Map(Object.keys(kind.indexes ?? {}).map((index) => [index, new Map()]));
  }

  get(id: string): ClusterRecord<T> | undefined {
    return this.#records.get(id);
  }

  byName(name: string): ClusterRecord<T> | undefined {
    const id = this.#names.get(name);
    return id === undefined ? undefined : this.#records.get(id);
  }

  list(): readonly ClusterRecord<T>[] {
    this.#listed ??= [...this.#records.values()];
    return this.#listed;
  }

  /** @throws Error for an index that the kind does not declare. */
  select(index: string, key: string): readonly ClusterRecord<T>[] {
    const keys = this.#indexes.get(index);
    if (keys === undefined) throw new Error(`records of kind ${this.kind.name} have no index "${index}"`);
    const found: ClusterRecord<T>[] = [];
    for (const id of keys.get(key) ?? []) {
      const record = this.#records.get(id);
      if (record !== undefined) found.push(record);
    }
    return found;
  }

  /** Takes the newest revision of a record, or its deletion. An unreadable one is as if absent. */
  apply(id: string, stored: StoredRecord | undefined): void {
    this.#listed = undefined;
    const before = this.#records.get(id);
    const after = stored?.read(this.kind);
    if (before !== undefined) this.#unlink(before);
    if (after === undefined) {
      this.#records.delete(id);
      return;
    }
    this.#records.set(id, after);
    const { indexed, names } = keysOf(this.kind, after.value);
    for (const name of names) this.#names.set(name, id);
    for (const [index, key] of indexed) {
      const keys = this.#indexes.get(index);
      keys?.set(key, (keys.get(key) ?? new Set<string>()).add(id));
    }
  }

  #unlink(record: ClusterRecord<T>): void {
    const { indexed, names } = keysOf(this.kind, record.value);
    for (const name of names) if (this.#names.get(name) === record.id) this.#names.delete(name);
    for (const [index, key] of indexed) {
      const keys = this.#indexes.get(index);
      const ids = keys?.get(key);
      ids?.delete(record.id);
      if (ids?.size === 0) keys?.delete(key);
    }
  }
}
