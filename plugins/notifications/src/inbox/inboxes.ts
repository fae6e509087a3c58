import type { ThreadRecord } from '../store/records.js';
import type { NotificationStore } from '../store/store.js';
import { Inbox } from './inbox.js';

/** The inboxes of all users, and who takes part in what. */
export class Inboxes {
  readonly #byAccount = new Map<number, Inbox>();
  /** Accounts with a thread of a subject, by repository and subject. */
  readonly #concerned = new Map<string, number[]>();

  constructor(private readonly store: NotificationStore) {
    const records = new Map<number, (readonly [string, ThreadRecord])[]>();
    for (const [key, record] of store.threads.entries()) {
      const others = records.get(record.accountId);
      if (others === undefined) records.set(record.accountId, [[key, record]]);
      else others.push([key, record]);
      this.register(record.accountId, record.repositoryId, record.subject.key);
    }
    for (const [accountId, threads] of records) {
      this.of(accountId).fill(threads, store.marks.get(String(accountId)) ?? []);
    }
  }

  of(accountId: number): Inbox {
    const inbox = this.#byAccount.get(accountId) ?? new Inbox();
    this.#byAccount.set(accountId, inbox);
    return inbox;
  }

  /** Shows a thread as it is committed. */
  show(accountId: number, key: string): void {
    const record = this.store.threads.get(key);
    if (record !== undefined) this.of(accountId).show(key, record);
  }

  /** Accounts that may have a thread of a subject. */
  concerned(repositoryId: number, subjectKey: string): readonly number[] {
    return this.#concerned.get(`${repositoryId}/${subjectKey}`) ?? [];
  }

  /** Called before the thread is committed, so that an activity right behind it finds the account. */
  register(accountId: number, repositoryId: number, subjectKey: string): void {
    const key = `${repositoryId}/${subjectKey}`;
    const accounts = this.#concerned.get(key);
    if (accounts === undefined) this.#concerned.set(key, [accountId]);
    else if (!accounts.includes(accountId)) accounts.push(accountId);
  }
}
