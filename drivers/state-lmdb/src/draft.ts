import type { Collection, Transaction } from '@gantry/core/contracts';
import { internal } from '@gantry/core/errors';
import { type RecordChange, RecordCollection } from './record-collection.js';
import { storageKey } from './storage-key.js';

/** Collects the changes of one transaction. Sees what earlier ones changed, also while that is on its way to disk. */
export class Draft implements Transaction {
  readonly changes = new Map<string, RecordChange>();
  #isClosed = false;

  constructor(private readonly pending: ReadonlyMap<string, RecordChange>) {}

  get<T>(collection: Collection<T>, key: string): T | undefined {
    const whole = storageKey(this.#own(collection).name, key);
    const change = this.changes.get(whole) ?? this.pending.get(whole);
    return change === undefined ? collection.get(key) : (change.value as T | undefined);
  }

  put<T>(collection: Collection<T>, key: string, value: T): void {
    const own = this.#own(collection);
    const json = JSON.stringify(value);
    if (json === undefined) throw internal(`${own.name}: the value of ${key} cannot be written as JSON`);
    // Read back at once: what is acknowledged can be read, and later changes to the caller's object do not matter.
    const change = { collection: own, key, json, value: own.definition.parse(JSON.parse(json)) };
    this.changes.set(storageKey(own.name, key), change);
  }

  delete<T>(collection: Collection<T>, key: string): void {
    const own = this.#own(collection);
    this.changes.set(storageKey(own.name, key), { collection: own, key, json: undefined, value: undefined });
  }

  /** After this, using the transaction throws. */
  close(): void {
    this.#isClosed = true;
  }

  #own<T>(collection: Collection<T>): RecordCollection<unknown> {
    if (this.#isClosed) throw internal('the transaction has ended: its work must be synchronous');
    if (!(collection instanceof RecordCollection)) throw internal(`${collection.name}: a collection of another store`);
    return collection as RecordCollection<unknown>;
  }
}
