import { type Collection, type StateDriver, StateDrivers, type Transaction } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
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

/** The collections of this plugin, and the numbers of threads and arrivals. */
@injectable()
export class NotificationStore {
  readonly #state: StateDriver;
  readonly repositories: Collection<RepositoryRecord>;
  readonly watches: Collection<WatchRecord>;
  readonly threads: Collection<ThreadRecord>;
  readonly marks: Collection<readonly ReadMark[]>;
  readonly teams: Collection<TeamRecord>;
  readonly deliveries: Collection<DeliveryRecord>;
  #lastThread = 0;
  #lastArrival = 0;

  constructor(@inject(StateDrivers.token) states: DriverSet<StateDriver>) {
    const state = states.get();
    this.#state = state;
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
    // A mark may cover a later arrival than that of any remaining thread.
    for (const [, marks] of this.marks.entries()) {
      for (const { arrival } of marks) this.#lastArrival = Math.max(this.#lastArrival, arrival);
    }
  }

  transaction<R>(work: (transaction: Transaction) => R): Promise<R> {
    return this.#state.transaction(work);
  }

  /** Logins of a team, in lower case. */
  teamMembers(transaction: Transaction, team: string): readonly string[] {
    return transaction.get(this.teams, team.toLowerCase())?.members ?? [];
  }

  setTeamMember(transaction: Transaction, team: string, login: string, joined: boolean): void {
    const member = login.toLowerCase();
    const others = this.teamMembers(transaction, team).filter((each) => each !== member);
    transaction.put(this.teams, team.toLowerCase(), { members: joined ? [...others, member] : others });
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

/** The key of a user's thread, by its subject, so that concurrent activities share one thread. */
export const threadKey = (accountId: number, repositoryId: number, subjectKey: string): string =>
  `${accountId}/${repositoryId}/${subjectKey}`;

export const watchKey = (accountId: number, repositoryId: number): string => `${repositoryId}/${accountId}`;

/** Puts a record unless it is unchanged. @returns whether it did. */
export function putChanged<T>(transaction: Transaction, collection: Collection<T>, key: string, value: T): boolean {
  const before = transaction.get(collection, key);
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(value)) return false;
  transaction.put(collection, key, value);
  return true;
}
