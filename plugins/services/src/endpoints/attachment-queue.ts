import { type ClusterChange, type ClusterStore, TransactionConflict } from '@gantry/core/contracts';
import { BatchQueue } from '../queues/batch-queue.js';
import type { AddressAllocation, AddressBook } from './address-book.js';

interface Planned<T> {
  readonly change?: ClusterChange | undefined;
  readonly result: T;
}

/** Decides what a request changes. Throws when it is refused. May be called twice: only the last call counts. */
type Plan<T> = (allocation: AddressAllocation) => Planned<T>;

interface Waiting {
  readonly plan: Plan<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Stores what many nodes ask for, requests that arrive during a transaction together. When a service publishes the first port
 * of a swarm, every node asks for an address at the same moment.
 */
export class AttachmentQueue {
  readonly #queue = new BatchQueue<Waiting>(
    (batch) => this.keepingReferences(() => this.#settle(batch)),
    () => 1,
  );

  constructor(
    private readonly store: ClusterStore,
    private readonly addresses: AddressBook,
    private readonly keepingReferences: (change: () => Promise<void>) => Promise<void>,
  ) {}

  add<T>(plan: Plan<T>): Promise<T> {
    return new Promise<unknown>((resolve, reject) => this.#queue.add({ plan, resolve, reject })) as Promise<T>;
  }

  async #settle(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#store(batch);
    } catch (error) {
      // What one of them changes may have been changed by another writer. Other failures may have stored all.
      if (batch.length === 1 || !TransactionConflict.is(error)) for (const each of batch) each.reject(error);
      else for (const each of batch) await this.#store([each]).catch((reason: unknown) => each.reject(reason));
    }
  }

  async #store(batch: readonly Waiting[]): Promise<void> {
    const { current } = this.store.leadership;
    const allocation = this.addresses.open(this.store);
    try {
      const planned = batch.flatMap(({ plan, reject, resolve }) => {
        try {
          const { change, result } = plan(allocation);
          return [{ change, confirm: () => resolve(result) }];
        } catch (error) {
          reject(error);
          return [];
        }
      });
      const changes = planned.flatMap(({ change }) => (change === undefined ? [] : [change]));
      const epoch = current.role === 'leader' ? { epoch: current.epoch } : {};
      if (changes.length > 0) await this.store.transact(changes, epoch);
      for (const each of planned) each.confirm();
    } finally {
      allocation.close();
    }
  }
}
