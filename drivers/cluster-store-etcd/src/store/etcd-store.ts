import type { Readable } from 'node:stream';
import {
  type ClusterChange,
  type ClusterMembers,
  type ClusterRecord,
  type ClusterStore,
  type ClusterStoreCapabilities,
  type QuarantinedClusterRecord,
  type RecordKind,
  TransactionConflict,
  type TransactOptions,
  type WatchOptions,
} from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { linkedSignal, withDeadline } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { type Mirror, planTransaction } from '@gantry/lib-cluster-store';
import { type EtcdClient, SpaceExceeded } from '../rpc/etcd-client.js';
import type { LeaderEpoch } from './leader-epoch.js';
import type { Space } from './space.js';
import { growthOf, type Transaction, toTransaction } from './to-transaction.js';

interface Outcome {
  readonly revision: number;
  /** Its comparisons held. */
  readonly succeeded: boolean;
}

interface EtcdStoreParts {
  readonly id: string;
  readonly memberId: string;
  readonly client: EtcdClient;
  readonly mirror: Mirror;
  readonly space: Space;
  readonly leadership: LeaderEpoch;
  readonly members: ClusterMembers;
  readonly closed: AbortSignal;
}

/** An open store: reads from the mirror, transactions to etcd. */
export class EtcdStore implements ClusterStore {
  readonly id: string;
  readonly memberId: string;
  readonly closed: AbortSignal;
  readonly leadership: LeaderEpoch;
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

  async transact(
    changes: readonly ClusterChange[],
    { epoch = this.leadership.epoch, signal }: TransactOptions = {},
  ): Promise<number> {
    this.#checkOpen();
    const planned = this.#plan(changes);
    return this.#whileOpen(signal, async (ended) => {
      await this.#space.admit(growthOf(planned));
      return this.#transact(changes, toTransaction(planned, epoch), epoch, ended);
    });
  }

  async #transact(
    changes: readonly ClusterChange[],
    request: Transaction,
    epoch: number,
    ended: AbortSignal,
  ): Promise<number> {
    const { revision, succeeded } = await this.#send(request, ended).catch((error: unknown) => {
      throw this.closed.aborted ? closedError(error) : error;
    });
    if (succeeded) crashPoint('etcd.transact.committed');
    await this.#reached(revision, ended);
    if (succeeded) return revision;
    await this.#checkEpoch(epoch, ended);
    this.#plan(changes); // throws what does not hold any more
    throw new TransactionConflict('revision', 'a record was changed in the meantime');
  }

  async synchronize({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#checkOpen();
    await this.#whileOpen(signal, async (ended) => {
      const { header } = await this.#client.transact({ compare: [], success: [] }, { signal: ended });
      await this.#reached(Number(header.revision), ended);
    });
  }

  async snapshot({ signal }: { readonly signal?: AbortSignal } = {}): Promise<Readable> {
    this.#checkOpen();
    return this.#client.snapshot(signal === undefined ? this.closed : AbortSignal.any([signal, this.closed]));
  }

  /** Sends a transaction, once more when etcd has no space for it and some can be made. */
  async #send(request: Transaction, signal: AbortSignal): Promise<Outcome> {
    try {
      return await this.#attempt(request, signal);
    } catch (error) {
      if (!(error instanceof SpaceExceeded)) throw error;
      await this.#space.reclaim();
      return this.#attempt(request, signal);
    }
  }

  /** etcd rejects for its quota also a transaction that it has applied just before: then what it wrote is there. */
  async #attempt(request: Transaction, signal: AbortSignal): Promise<Outcome> {
    try {
      const { header, succeeded } = await this.#client.transact(request, { signal });
      return { revision: Number(header.revision), succeeded };
    } catch (error) {
      const put = request.success.find((operation) => 'requestPut' in operation)?.requestPut;
      if (!(error instanceof SpaceExceeded) || put === undefined) throw error;
      const rangeEnd = Buffer.concat([put.key, Buffer.alloc(1)]);
      const { kvs } = await this.#client.range({ key: put.key, rangeEnd, limit: 1, revision: 0 }, { signal });
      const [written] = kvs;
      if (written === undefined || !written.value.equals(put.value)) throw error;
      return { revision: Number(written.modRevision), succeeded: true };
    }
  }

  /** Throws a conflict of `leadership` when another member leads: the store ends then. */
  async #checkEpoch(epoch: number, signal: AbortSignal): Promise<void> {
    const isLeading = await this.leadership.isPresent(signal);
    if (!isLeading) this.leadership.end();
    if (isLeading && epoch === this.leadership.epoch) return;
    throw new TransactionConflict('leadership', `epoch ${epoch} is over: another member leads`);
  }

  #plan(changes: readonly ClusterChange[]) {
    const { maxChanges } = this.capabilities;
    return planTransaction(changes, { mirror: this.#mirror, now: new Date().toISOString(), maxChanges });
  }

  async #reached(revision: number, signal: AbortSignal): Promise<void> {
    try {
      const limit = { milliseconds: this.#client.callLimit, error: 'the mirror of the store lies behind', signal };
      await withDeadline(limit, (deadline) => this.#mirror.reached(revision, deadline));
    } catch (cause) {
      if (signal.aborted && !this.closed.aborted) throw signal.reason;
      throw this.closed.aborted ? closedError(cause) : unavailable('the mirror of the store lies behind', { cause });
    }
  }

  /** Does work with a signal that aborts with the caller's, or when the store is closed. */
  async #whileOpen<T>(signal: AbortSignal | undefined, work: (ended: AbortSignal) => Promise<T>): Promise<T> {
    if (signal === undefined) return work(this.closed);
    const done = new AbortController();
    try {
      return await work(linkedSignal(done.signal, signal, this.closed));
    } finally {
      done.abort();
    }
  }

  #checkOpen(): void {
    if (this.closed.aborted) throw closedError();
  }
}

const closedError = (cause?: unknown) => unavailable('the cluster store is closed', { cause });
