import {
  type Collection,
  type CollectionDefinition,
  type QuarantinedRecord,
  readRecord,
  type StateDriver,
  StateDrivers,
  type Transaction,
} from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { conflict, internal, invalidArgument, kindOf, messageOf, unavailable } from '@gantry/core/errors';
import { Type } from '@sinclair/typebox';
import { onDisk } from './memory-disk.js';

/** A record as it is kept: JSON, so that nothing is shared with the caller. */
interface Stored {
  readonly version: number;
  readonly json: string;
}

/** Collection name, then key. */
type Disk = Map<string, Map<string, Stored>>;

interface Change {
  readonly collection: MemoryCollection<unknown>;
  readonly key: string;
  readonly stored: Stored | undefined;
  readonly value: unknown;
}

type Run = <R>(work: (transaction: Transaction) => R) => Promise<R>;

class MemoryCollection<T> implements Collection<T> {
  readonly name: string;
  readonly #values = new Map<string, T>();
  readonly #quarantined = new Map<string, QuarantinedRecord>();

  constructor(
    readonly definition: CollectionDefinition<T>,
    private readonly disk: Map<string, Stored>,
    private readonly run: Run,
  ) {
    this.name = definition.name;
    for (const [key, stored] of disk) this.#load(key, stored);
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  *entries(): Iterable<readonly [key: string, value: T]> {
    const keys = [...this.#values.keys()].map((key) => ({ key, bytes: Buffer.from(key) }));
    for (const { key } of keys.sort((one, other) => Buffer.compare(one.bytes, other.bytes))) {
      const value = this.#values.get(key);
      if (value !== undefined) yield [key, value];
    }
  }

  put(key: string, value: T): Promise<void> {
    return this.run((transaction) => transaction.put(this, key, value));
  }

  delete(key: string): Promise<void> {
    return this.run((transaction) => transaction.delete(this, key));
  }

  quarantined(): readonly QuarantinedRecord[] {
    return [...this.#quarantined.values()];
  }

  async discard(key: string): Promise<void> {
    if (this.#quarantined.delete(key) && !this.has(key)) this.disk.delete(key);
  }

  apply({ key, stored, value }: Change): void {
    if (stored === undefined) {
      this.disk.delete(key);
      this.#values.delete(key);
    } else {
      this.disk.set(key, stored);
      this.#values.set(key, value as T);
    }
  }

  #load(key: string, { version, json }: Stored): void {
    try {
      this.#values.set(key, readRecord(this.definition, version, JSON.parse(json)));
    } catch (error) {
      if (kindOf(error) === 'conflict') throw error;
      this.#quarantined.set(key, { collection: this.name, key, reason: messageOf(error) });
    }
  }
}

class MemoryState implements StateDriver {
  readonly capabilities = { durable: false };
  readonly #collections = new Map<string, MemoryCollection<unknown>>();
  /** Changes that are not applied yet, by collection and key. */
  readonly #pending = new Map<string, Change>();
  #isClosed = false;

  constructor(private readonly disk: Disk) {}

  collection<T>(definition: CollectionDefinition<T>): Collection<T> {
    const { name, version } = definition;
    if (!/^[a-z][a-z0-9-]*$/.test(name)) throw invalidArgument(`"${name}" is not a collection name such as "images"`);
    const open = this.#collections.get(name);
    if (open !== undefined && open.definition.version !== version) {
      throw conflict(`collection ${name} is open with version ${open.definition.version}, not ${version}`);
    }
    if (open !== undefined) return open as MemoryCollection<T>;
    const records = this.disk.get(name) ?? new Map<string, Stored>();
    this.disk.set(name, records);
    const collection = new MemoryCollection(definition, records, (work) => this.transaction(work));
    this.#collections.set(name, collection as MemoryCollection<unknown>);
    return collection;
  }

  async transaction<R>(work: (transaction: Transaction) => R): Promise<R> {
    if (this.#isClosed) throw unavailable('the state store is closed');
    const changes = new Map<string, Change>();
    const transaction = draft(changes, this.#pending);
    const result = work(transaction);
    transaction.close();
    if (result instanceof Promise) {
      result.catch(() => undefined);
      throw internal('the work of a transaction must be synchronous');
    }
    for (const [key, change] of changes) this.#pending.set(key, change);
    await undefined; // as on a disk, changes are visible when the transaction resolves
    if (this.#isClosed) throw unavailable('the state store was closed');
    for (const [key, change] of changes) {
      change.collection.apply(change);
      if (this.#pending.get(key) === change) this.#pending.delete(key);
    }
    return result;
  }

  close(): void {
    this.#isClosed = true;
  }
}

function draft(changes: Map<string, Change>, pending: Map<string, Change>): Transaction & { close(): void } {
  let isClosed = false;
  const place = (collection: Collection<never>, key: string): string => {
    if (isClosed) throw internal('the transaction has ended: its work must be synchronous');
    if (key === '' || /\p{Surrogate}/u.test(key)) throw invalidArgument(`"${key}" is not a key`);
    return `${collection.name}\0${key}`;
  };
  return {
    get<T>(collection: Collection<T>, key: string) {
      const at = place(collection as Collection<never>, key);
      const change = changes.get(at) ?? pending.get(at);
      return change === undefined ? collection.get(key) : (change.value as T | undefined);
    },
    put(collection, key, value) {
      const at = place(collection as Collection<never>, key);
      const own = collection as MemoryCollection<unknown>;
      const json = JSON.stringify(value);
      if (json === undefined) throw internal(`${own.name}: the value of ${key} cannot be written as JSON`);
      const stored = { version: own.definition.version, json };
      changes.set(at, { collection: own, key, stored, value: own.definition.parse(JSON.parse(json)) });
    },
    delete(collection, key) {
      const own = collection as MemoryCollection<unknown>;
      changes.set(place(collection as Collection<never>, key), {
        collection: own,
        key,
        stored: undefined,
        value: undefined,
      });
    },
    close() {
      isClosed = true;
    },
  };
}

export const state = defineDriver({
  id: 'memory',
  provides: StateDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create({ dirs, lifetime }) {
    const store = new MemoryState(onDisk<Disk>(dirs.root, 'state', () => new Map()));
    lifetime.add(() => store.close());
    return store;
  },
});
