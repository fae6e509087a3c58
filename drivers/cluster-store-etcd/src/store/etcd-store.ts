import type { Readable } from 'node:stream';
import {
  type ClusterChange,
  type ClusterMembers,
  type ClusterRecord,
  type ClusterStore,
  type ClusterStoreCapabilities,
  type LeadershipView,
  type QuarantinedClusterRecord,
  type RecordKind,
  TransactionConflict,
  type TransactOptions,
  type WatchOptions,
} from '@gantry/core/contracts';
import { unavailable } from '@gantry/core/errors';
import { type Mirror, planTransaction } from '@gantry/lib-cluster-store';
import { type EtcdClient, SpaceExceeded } from '../rpc/etcd-client.js';
import type { Space } from './space.js';
import { toTransaction } from './to-transaction.js';

/** How long the mirror may lie behind a transaction that etcd has done. */
const mirrorLimit = 5000;

interface EtcdStoreParts {
  readonly id: string;
  readonly memberId: string;
  readonly client: EtcdClient;
  readonly mirror: Mirror;
  readonly space: Space;
  readonly leadership: LeadershipView;
  readonly members: ClusterMembers;
  readonly closed: AbortSignal;
}

/** An open store: reads from the mirror, transactions to etcd. */
export class EtcdStore implements ClusterStore {
  readonly id: string;
  readonly memberId: string;
  readonly closed: AbortSignal;
  readonly leadership: LeadershipView;
  readonly members: ClusterMembers;
  readonly #mirror: Mirror;
  readonly #client: EtcdClient;
  readonly #space: Space;

  constructor(
    parts: EtcdStoreParts,
    private readonly capabilities: ClusterStoreCapabilities,
  ) {
    this.id = parts.id;
    this.memberId = parts.memberId;
    this.closed = parts.closed;
    this.leadership = parts.leadership;
    this.members = parts.members;
    this.#mirror = parts.mirror;
    this.#client = parts.client;
    this.#space = parts.space;
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

  watch(options: WatchOptions): ReturnType<ClusterStore['watch']> {
    return this.#mirror.watch(options);
  }

  async transact(changes: readonly ClusterChange[], { epoch, signal }: TransactOptions = {}): Promise<number> {
    this.#checkOpen();
    const request = toTransaction(this.#plan(changes), epoch);
    const ended = this.#ended(signal);
    const { header, succeeded } = await this.#client
      .transact(request, { signal: ended })
      .catch(async (error: unknown) => {
        if (!(error instanceof SpaceExceeded)) throw this.closed.aborted ? closedError(error) : error;
        await this.#space.reclaim();
        return this.#client.transact(request, { signal: ended });
      });
    const revision = Number(header.revision);
    await this.#reached(revision, ended);
    if (succeeded) return revision;
    this.#plan(changes); // throws what does not hold any more
    if (epoch !== undefined) {
      throw new TransactionConflict('leadership', `epoch ${epoch} is over: another member leads`);
    }
    throw new TransactionConflict('revision', 'a record was changed in the meantime');
  }

  async synchronize({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#checkOpen();
    const ended = this.#ended(signal);
    const { header } = await this.#client.transact({ compare: [], success: [] }, { signal: ended });
    await this.#reached(Number(header.revision), ended);
  }

  async snapshot({ signal }: { readonly signal?: AbortSignal } = {}): Promise<Readable> {
    this.#checkOpen();
    return this.#client.snapshot(this.#ended(signal));
  }

  #plan(changes: readonly ClusterChange[]) {
    const { maxChanges } = this.capabilities;
    return planTransaction(changes, { mirror: this.#mirror, now: new Date().toISOString(), maxChanges });
  }

  async #reached(revision: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#mirror.reached(revision, AbortSignal.any([signal, AbortSignal.timeout(mirrorLimit)]));
    } catch (cause) {
      if (signal.aborted && !this.closed.aborted) throw signal.reason;
      throw this.closed.aborted ? closedError(cause) : unavailable('the mirror of the store lies behind', { cause });
    }
  }

  #ended(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.closed : AbortSignal.any([signal, this.closed]);
  }

  #checkOpen(): void {
    if (this.closed.aborted) throw closedError();
  }
}

const closedError = (cause?: unknown) => unavailable('the cluster store is closed', { cause });
