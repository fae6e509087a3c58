import { basename, join } from 'node:path';
import type { Collection, CollectionDefinition, StateDriver, Transaction } from '@gantry/core/contracts';
import {
  type DriverLifecycle,
  inject,
  injectable,
  Lifetime,
  Logger,
  type Measurement,
  type Orphan,
} from '@gantry/core/driver';
import { conflict, internal, invalidArgument, kindOf, messageOf, unavailable } from '@gantry/core/errors';
import { CommitQueue } from './commit-queue.js';
import { Draft } from './draft.js';
import type { StoredEntry } from './environment/load-environment.js';
import type { Write } from './environment/messages.js';
import { WriterThread } from './environment/writer-thread.js';
import { measureState } from './measure-state.js';
import { type QuarantineEntry, RecordCollection, type RecordStore } from './record-collection.js';
import { decodeQuarantined, encodeQuarantined, encodeRecord } from './record-format.js';
import { RootLock } from './root-lock.js';
import { stateOrphans } from './state-orphans.js';
import { splitStorageKey } from './storage-key.js';
import { openStores, StateFile, StoredEntries } from './tokens.js';

type AnyCollection = RecordCollection<unknown>;

/** Collections in memory, transactions on disk. */
@injectable()
export class LmdbState implements StateDriver, DriverLifecycle, RecordStore {
  readonly capabilities = { durable: true };
  readonly #collections = new Map<string, AnyCollection>();
  /** What was on disk at the start, by collection; removed when the collection is opened. */
  readonly #stored = new Map<string, StoredEntry[]>();
  readonly #queue: CommitQueue;
  #closed: Promise<void> | undefined;

  constructor(
    @inject(StateFile) private readonly file: StateFile,
    @inject(StoredEntries) entries: StoredEntries,
    @inject(RootLock) private readonly lock: RootLock,
    @inject(WriterThread) private readonly writer: WriterThread,
    @inject(Lifetime) lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.#queue = new CommitQueue(writer);
    for (const entry of entries) {
      const [collection] = splitStorageKey(entry.key);
      const others = this.#stored.get(collection);
      if (others === undefined) this.#stored.set(collection, [entry]);
      else others.push(entry);
    }
    openStores.set(file, this);
    lifetime.add(() => this.close());
  }

  /** A damaged file is rebuilt, and the old one kept, before anything else happens. */
  async start(): Promise<void> {
    if (this.writer.isRebuilding) await this.writer.ready();
  }

  ready(): Promise<void> {
    return this.writer.ready();
  }

  findOrphans(): Promise<readonly Orphan[]> {
    return stateOrphans(this.file, this.#quarantineEntries());
  }

  measure(): readonly Measurement[] {
    return measureState(this.#queue.counts, this.#collections.values());
  }

  collection<T>(definition: CollectionDefinition<T>): Collection<T> {
    const { name, version } = definition;
    if (!/^[a-z][a-z0-9-]*$/.test(name)) throw invalidArgument(`"${name}" is not a collection name such as "images"`);
    const open = this.#collections.get(name);
    if (open === undefined) return this.#open(definition);
    if (open.definition.version !== version) {
      throw conflict(`collection ${name} is open with version ${open.definition.version}, not ${version}`);
    }
    return open as RecordCollection<T>;
  }

  transaction<R>(work: (transaction: Transaction) => R): Promise<R> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) throw unavailable('the state store is closed');
      const draft = new Draft(this.#queue.pending);
      const result = work(draft);
      draft.close();
      if (result instanceof Promise) {
        result.catch(() => undefined);
        throw internal('the work of a transaction must be synchronous');
      }
      const writes = [...draft.changes].map(([key, { collection, json }]): Write => {
        const value = json === undefined ? undefined : encodeRecord(key, collection.definition.version, json);
        return { area: 'records', key, value };
      });
      this.#queue.add(writes, draft.changes).then(() => resolve(result), reject);
    });
  }

  snapshot(directory: string): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(unavailable('the state store is closed'));
    return this.#queue.copy(join(directory, basename(this.file)));
  }

  put(collection: AnyCollection, key: string, value: unknown): Promise<void> {
    return this.transaction((transaction) => transaction.put(collection, key, value));
  }

  delete(collection: AnyCollection, key: string): Promise<void> {
    return this.transaction((transaction) => transaction.delete(collection, key));
  }

  discard(key: string): Promise<void> {
    return this.#queue.add([{ area: 'quarantine', key, value: undefined }]);
  }

  /** Takes no more transactions; resolves when the queued ones are on disk or have failed, and the file is closed. */
  close(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#queue.drain();
      await this.writer.close();
      this.lock.release();
      if (openStores.get(this.file) === this) openStores.delete(this.file);
    })();
    return this.#closed;
  }

  /** The quarantined records, also those of collections that are not open. */
  *#quarantineEntries(): Iterable<QuarantineEntry & { discard(): Promise<void> }> {
    for (const collection of this.#collections.values()) {
      for (const found of collection.quarantineEntries) {
        yield { ...found, discard: () => collection.discard(found.record.key) };
      }
    }
    for (const [name, entries] of this.#stored) {
      for (const entry of entries.filter(({ area }) => area === 'quarantine')) {
        const { reason, bytes } = decodeQuarantined(entry.value);
        const record = { collection: name, key: splitStorageKey(entry.key)[1], reason };
        const discard = async (): Promise<void> => {
          await this.discard(entry.key);
          const others = this.#stored.get(name)?.filter((other) => other !== entry);
          if (others !== undefined) this.#stored.set(name, others);
        };
        yield { record, bytes: bytes.length, discard };
      }
    }
  }

  #open<T>(definition: CollectionDefinition<T>): RecordCollection<T> {
    const collection = new RecordCollection(definition, this);
    const stored = this.#stored.get(definition.name) ?? [];
    const moves = [
      ...stored.filter(({ area }) => area === 'records').flatMap((entry) => this.#admit(collection, entry)),
      ...stored.filter(({ area }) => area === 'quarantine').flatMap((entry) => this.#readmit(collection, entry)),
    ];
    this.#collections.set(definition.name, collection as AnyCollection);
    this.#stored.delete(definition.name);
    if (moves.length > 0) {
      this.#queue.add(moves).catch((error) => {
        const facts = { event: 'state.quarantine-failed', collection: definition.name, error };
        this.log.warn(facts, 'failed to move records to or from quarantine; the next start retries');
      });
    }
    return collection;
  }

  /** @returns the writes that quarantine the record when it cannot be read. @throws EngineError when it is newer. */
  #admit<T>(collection: RecordCollection<T>, { key: whole, value }: StoredEntry): Write[] {
    try {
      collection.admit(whole, value);
      return [];
    } catch (error) {
      if (kindOf(error) === 'conflict') throw error;
      const reason = oneLine(messageOf(error));
      const [name, key] = splitStorageKey(whole);
      collection.quarantine(key, reason, value.length);
      this.log.error({ event: 'state.quarantined', collection: name, key, reason }, 'record quarantined');
      return [
        { area: 'records', key: whole, value: undefined },
        { area: 'quarantine', key: whole, value: encodeQuarantined(reason, value) },
      ];
    }
  }

  /** Tries quarantined records again: a newer engine may be able to read them. */
  #readmit<T>(collection: RecordCollection<T>, { key: whole, value }: StoredEntry): Write[] {
    const [name, key] = splitStorageKey(whole);
    const { reason, bytes } = decodeQuarantined(value);
    if (collection.has(key)) {
      collection.quarantine(key, reason, bytes.length);
      return [];
    }
    try {
      collection.admit(whole, bytes);
    } catch (error) {
      collection.quarantine(key, oneLine(messageOf(error)), bytes.length);
      return [];
    }
    this.log.info({ event: 'state.readmitted', collection: name, key, reason }, 'record restored from quarantine');
    return [
      { area: 'records', key: whole, value: Buffer.from(new Uint8Array(bytes).buffer) },
      { area: 'quarantine', key: whole, value: undefined },
    ];
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
