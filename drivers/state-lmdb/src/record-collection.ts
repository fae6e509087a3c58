import { type Collection, type CollectionDefinition, type QuarantinedRecord, readRecord } from '@gantry/core/contracts';
import { decodeRecord } from './record-format.js';
import { byteOrder, splitStorageKey, storageKey } from './storage-key.js';

/** A changed record on its way to the disk. Without `json` it is deleted. */
export interface RecordChange {
  readonly collection: RecordCollection<unknown>;
  readonly key: string;
  readonly json: string | undefined;
  /** What reading the JSON back gave. */
  readonly value: unknown;
}

/** A record that cannot be read. */
export interface QuarantineEntry {
  readonly record: QuarantinedRecord;
  /** Its size. */
  readonly bytes: number;
}

/** The operations of the store that a collection calls. */
export interface RecordStore {
  put(collection: RecordCollection<unknown>, key: string, value: unknown): Promise<void>;
  delete(collection: RecordCollection<unknown>, key: string): Promise<void>;
  discard(storageKey: string): Promise<void>;
}

/** The committed records of one collection, all in memory: reads cost a look-up. */
export class RecordCollection<T> implements Collection<T> {
  readonly name: string;
  readonly #records = new Map<string, T>();
  readonly #quarantined = new Map<string, QuarantineEntry>();
  /** Sorted; undefined when a key came or went since. */
  #order: readonly string[] | undefined;

  constructor(
    readonly definition: CollectionDefinition<T>,
    private readonly store: RecordStore,
  ) {
    this.name = definition.name;
  }

  get size(): number {
    return this.#records.size;
  }

  get(key: string): T | undefined {
    return this.#records.get(key);
  }

  has(key: string): boolean {
    return this.#records.has(key);
  }

  *entries(): Iterable<readonly [key: string, value: T]> {
    this.#order ??= [...this.#records.keys()].sort(byteOrder);
    for (const key of this.#order) {
      const value = this.#records.get(key);
      if (value !== undefined) yield [key, value];
    }
  }

  put(key: string, value: T): Promise<void> {
    return this.store.put(this as RecordCollection<unknown>, key, value);
  }

  delete(key: string): Promise<void> {
    return this.store.delete(this as RecordCollection<unknown>, key);
  }

  quarantined(): readonly QuarantinedRecord[] {
    return [...this.#quarantined.values()].map(({ record }) => record);
  }

  /** The same with the size of each. */
  get quarantineEntries(): Iterable<QuarantineEntry> {
    return this.#quarantined.values();
  }

  async discard(key: string): Promise<void> {
    if (!this.#quarantined.has(key)) return;
    await this.store.discard(storageKey(this.name, key));
    this.#quarantined.delete(key);
  }

  /** Takes in a record as it is on disk. @throws Error with the reason when it cannot be read. */
  admit(whole: string, bytes: Buffer): void {
    const { version, value } = decodeRecord(whole, bytes);
    this.#set(splitStorageKey(whole)[1], readRecord(this.definition, version, value));
  }

  quarantine(key: string, reason: string, bytes: number): void {
    this.#quarantined.set(key, { record: { collection: this.name, key, reason }, bytes });
  }

  /** Makes a change visible once it is on disk. */
  apply({ key, json, value }: RecordChange): void {
    if (json !== undefined) this.#set(key, value as T);
    else if (this.#records.delete(key)) this.#order = undefined;
  }

  #set(key: string, value: T): void {
    if (!this.#records.has(key)) this.#order = undefined;
    this.#records.set(key, value);
  }
}
