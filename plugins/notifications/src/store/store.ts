import type { Collection, StateDriver, Transaction } from '@gantry/core/contracts';
import {
  type DeliveryRecord,
  deliveryCollection,
  markCollection,
  type ReadMark,
  type RepositoryRecord,
  repositoryCollection,
  type TeamRecord,
  type ThreadRecord,
  teamCollection,
  threadCollection,
  type WatchRecord,
  watchCollection,
} from './records.js';

/** The collections of this plugin, and the numbers it gives out. */
export class NotificationStore {
  readonly repositories: Collection<RepositoryRecord>;
  readonly watches: Collection<WatchRecord>;
  readonly threads: Collection<ThreadRecord>;
  readonly marks: Collection<readonly ReadMark[]>;
  readonly teams: Collection<TeamRecord>;
  readonly deliveries: Collection<DeliveryRecord>;
  #lastThread = 0;
  #lastArrival = 0;

  constructor(private readonly state: StateDriver) {
    this.repositories = state.collection(repositoryCollection);
    this.watches = state.collection(watchCollection);
    this.threads = state.collection(threadCollection);
    this.marks = state.collection(markCollection);
    this.teams = state.collection(teamCollection);
    this.deliveries = state.collection(deliveryCollection);
    for (const [, { id, notice }] of this.threads.entries()) {
      this.#lastThread = Math.max(this.#lastThread, id);
      this.#lastArrival = Math.max(this.#lastArrival, notice?.arrival ?? 0);
    }
    // A mark may be of a later arrival than any thread that is still there.
    for (const [, marks] of this.marks.entries()) {
      for (const { arrival } of marks) this.#lastArrival = Math.max(this.#lastArrival, arrival);
    }
  }

  transaction<R>(work: (transaction: Transaction) => R): Promise<R> {
    return this.state.transaction(work);
  }

  nextThread(): number {
    this.#lastThread += 1;
    return this.#lastThread;
  }

  nextArrival(): number {
    this.#lastArrival += 1;
    return this.#lastArrival;
  }
}

/** The key of a user's thread. Determined by the subject, so that two activities at once make one thread. */
export const threadKey = (accountId: number, repositoryId: number, subjectKey: string): string =>
  `${accountId}/${repositoryId}/${subjectKey}`;

export const watchKey = (accountId: number, repositoryId: number): string => `${repositoryId}/${accountId}`;

/** Puts a record unless it is as it was; tells whether it did. */
export function putChanged<T>(transaction: Transaction, collection: Collection<T>, key: string, value: T): boolean {
  const before = transaction.get(collection, key);
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(value)) return false;
  transaction.put(collection, key, value);
  return true;
}
