import type { Inboxes } from './inbox/inboxes.js';
import type { Subscription, ThreadRecord } from './store/records.js';
import type { NotificationStore } from './store/store.js';

/** Changes what users want of threads. Spec: States and transitions, Notification thread. */
export class Subscriptions {
  constructor(
    private readonly store: NotificationStore,
    private readonly inboxes: Inboxes,
  ) {}

  /** Ignores a thread, or subscribes to it. @returns the thread as it is then. */
  put(key: string, ignored: boolean): Promise<ThreadRecord> {
    return this.#change(key, (record) => {
      if (ignored) return silenced(record, 'ignored');
      if (record.subscription === 'subscribed') return record;
      return {
        ...record,
        subscription: 'subscribed',
        subscribedAt: Date.now(),
        standing: record.standing ?? 'manual',
      };
    });
  }

  /** Mutes a thread until its user comments or is mentioned. */
  remove(key: string): Promise<ThreadRecord> {
    return this.#change(key, (record) => silenced(record, 'muted'));
  }

  async #change(key: string, next: (record: ThreadRecord) => ThreadRecord): Promise<ThreadRecord> {
    const { threads } = this.store;
    const changed = await this.store.transaction((transaction) => {
      const before = transaction.get(threads, key);
      if (before === undefined) throw new Error(`thread ${key} is not there`);
      const after = next(before);
      if (after !== before) transaction.put(threads, key, after);
      return after;
    });
    this.inboxes.show(changed.accountId, key);
    return changed;
  }
}

function silenced(record: ThreadRecord, subscription: Subscription): ThreadRecord {
  return record.subscription === subscription ? record : { ...record, subscription, subscribedAt: Date.now() };
}
