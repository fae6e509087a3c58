import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type ClusterChange,
  type ClusterMember,
  type ClusterMembers,
  type ClusterRecord,
  type ClusterStore,
  type ClusterStoreDriver,
  ClusterStoreDrivers,
  type CreateStoreOptions,
  type Leadership,
  type LeadershipView,
  type QuarantinedClusterRecord,
  type RecordKind,
  TransactionConflict,
  type TransactOptions,
  type WatchOptions,
} from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { conflict, notFound, notImplemented, unavailable } from '@gantry/core/errors';
import { Mirror, type PlannedChange, planTransaction, StoredRecord } from '@gantry/lib-cluster-store';
import { Type } from '@sinclair/typebox';
import { onDisk } from './memory-disk.js';

const capabilities = { durable: false, members: false, maxChanges: 1000, history: 5000 };

/** What outlives the driver: encoded records by kind and id, in the order in which they were created. */
interface Disk {
  store?: {
    readonly id: string;
    readonly name: string;
    revision: number;
    epoch: number;
    records: Map<string, StoredEntry>;
  };
}

interface StoredEntry {
  readonly kind: string;
  readonly id: string;
  readonly revision: number;
  readonly encoded: string;
}

class MemoryLeadership implements LeadershipView {
  constructor(readonly current: Leadership) {}

  /** The only member leads as long as the store is open. */
  onChange(): () => void {
    return () => undefined;
  }
}

class MemoryMembers implements ClusterMembers {
  constructor(private readonly self: ClusterMember) {}

  async list(): Promise<readonly ClusterMember[]> {
    return [this.self];
  }

  async add(): Promise<ClusterMember> {
    throw notImplemented('a store in memory has one member');
  }

  async promote(id: string): Promise<void> {
    this.#find(id);
    throw conflict(`member ${id} is a voter`);
  }

  async remove(id: string): Promise<void> {
    this.#find(id);
    throw conflict(`member ${id} is the last voter`);
  }

  async transferLeadership(id: string): Promise<void> {
    this.#find(id);
  }

  #find(id: string): void {
    if (id !== this.self.id) throw notFound(`there is no member ${id}`);
  }
}

class MemoryClusterStore implements ClusterStore {
  readonly id: string;
  readonly memberId = '1';
  readonly leadership: LeadershipView;
  readonly members: ClusterMembers;
  readonly #end = new AbortController();
  readonly closed = this.#end.signal;
  readonly #mirror: Mirror;

  constructor(private readonly disk: NonNullable<Disk['store']>) {
    this.id = disk.id;
    const records = [...disk.records.values()].map(
      ({ kind, id, revision, encoded }) => new StoredRecord(kind, id, revision, encoded),
    );
    this.#mirror = new Mirror(records, disk.revision, capabilities.history, this.closed);
    this.leadership = new MemoryLeadership({ role: 'leader', epoch: ++disk.epoch });
    this.members = new MemoryMembers({ id: this.memberId, name: disk.name, role: 'voter' });
  }

  get revision(): number {
    return this.#mirror.revision;
  }

  get<T>(kind: RecordKind<T>, id: string): ClusterRecord<T> | undefined {
    return this.#mirror.get(kind, id);
  }

  byName<T>(kind: RecordKind<T>, name: string): ClusterRecord<T> | undefined {
    return this.#mirror.byName(kind, name);
  }

  list<T>(kind: RecordKind<T>): readonly ClusterRecord<T>[] {
    return this.#mirror.list(kind);
  }

  select<T>(kind: RecordKind<T>, index: string, key: string): readonly ClusterRecord<T>[] {
    return this.#mirror.select(kind, index, key);
  }

  quarantined(): readonly QuarantinedClusterRecord[] {
    return this.#mirror.quarantined();
  }

  async transact(changes: readonly ClusterChange[], { epoch, signal }: TransactOptions = {}): Promise<number> {
    signal?.throwIfAborted();
    await undefined; // as with a real store, other callers go on meanwhile
    this.#checkOpen();
    if (epoch !== undefined && epoch !== this.disk.epoch) {
      throw new TransactionConflict('leadership', `epoch ${epoch} is over: another member leads`);
    }
    const now = new Date().toISOString();
    const planned = planTransaction(changes, { mirror: this.#mirror, now, maxChanges: capabilities.maxChanges });
    const revision = ++this.disk.revision;
    this.#mirror.apply(
      revision,
      planned.flatMap((change) => this.#write(change, revision)),
    );
    return revision;
  }

  watch(options: WatchOptions): ReturnType<ClusterStore['watch']> {
    return this.#mirror.watch(options);
  }

  async synchronize(): Promise<void> {
    this.#checkOpen();
  }

  async snapshot(): Promise<Readable> {
    this.#checkOpen();
    return Readable.from([JSON.stringify([...this.disk.records.values()])]);
  }

  close(): void {
    this.#end.abort();
  }

  #write({ kind, id, write }: PlannedChange, revision: number): { kind: string; id: string; stored?: StoredRecord }[] {
    const key = `${kind}/${id}`;
    if (write.type !== 'put') {
      if (write.type === 'none') return [];
      this.disk.records.delete(key);
      return [{ kind, id }];
    }
    this.disk.records.set(key, { kind, id, revision, encoded: write.encoded });
    return [{ kind, id, stored: new StoredRecord(kind, id, revision, write.encoded) }];
  }

  #checkOpen(): void {
    if (this.closed.aborted) throw unavailable('the cluster store is closed');
  }
}

class MemoryClusterStores implements ClusterStoreDriver {
  readonly capabilities = capabilities;
  readonly location = 'memory';
  #open: MemoryClusterStore | undefined;

  constructor(private readonly disk: Disk) {}

  exists(): boolean {
    return this.disk.store !== undefined;
  }

  async create({ name }: CreateStoreOptions): Promise<ClusterStore> {
    if (this.exists()) throw conflict('there is a cluster store already');
    this.disk.store = { id: randomUUID(), name, revision: 1, epoch: 0, records: new Map() };
    return this.open();
  }

  async open(): Promise<ClusterStore> {
    if (this.disk.store === undefined) throw notFound('there is no cluster store');
    this.#open ??= new MemoryClusterStore(this.disk.store);
    return this.#open;
  }

  async recover(): Promise<ClusterStore> {
    this.close();
    return this.open();
  }

  async destroy(): Promise<void> {
    this.close();
    delete this.disk.store;
  }

  close(): void {
    this.#open?.close();
    this.#open = undefined;
  }
}

export const clusterStore = defineDriver({
  id: 'memory',
  provides: ClusterStoreDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create({ dirs, lifetime }) {
    const stores = new MemoryClusterStores(onDisk<Disk>(dirs.root, 'cluster-store', () => ({})));
    lifetime.add(() => stores.close());
    return stores;
  },
});
