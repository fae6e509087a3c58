import { inject, injectable } from '@gantry/core/driver';
import { NotificationStore } from '../store/notification-store.js';
import type { ThreadRecord } from '../store/records.js';
import { Inbox } from './inbox.js';

/** The inboxes of all users, and the participants of subjects. */
@injectable()
export class Inboxes {
  readonly #byAccount = new Map<number, Inbox>();
  /** Accounts with a thread of a subject, by repository and subject. */
  readonly #participants = new Map<string, number[]>();

  constructor(@inject(NotificationStore) private readonly store: NotificationStore) {
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

  /** Shows the committed record of a thread. */
  show(accountId: number, key: string): void {
    const record = this.store.threads.get(key);
    if (record !== undefined) this.of(accountId).show(key, record);
  }

  /** Accounts with a thread of a subject, committed or not. */
  participants(repositoryId: number, subjectKey: string): readonly number[] {
    return this.#participants.get(`${repositoryId}/${subjectKey}`) ?? [];
  }

  /** Called before the commit, so that a concurrent activity finds the account. */
  register(accountId: number, repositoryId: number, subjectKey: string): void {
    const key = `${repositoryId}/${subjectKey}`;
    const accounts = this.#participants.get(key);
    if (accounts === undefined) this.#participants.set(key, [accountId]);
    else if (!accounts.includes(accountId)) accounts.push(accountId);
  }
}
