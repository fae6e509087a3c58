import { inject, injectable } from '@gantry/core/driver';
import { NotificationStore } from '../store/notification-store.js';
import type { Subscription, ThreadRecord } from '../store/records.js';
import { Inboxes } from './inboxes.js';

/** Subscriptions of users to threads. Spec: States and transitions, Notification thread. */
@injectable()
export class Subscriptions {
  constructor(
    @inject(NotificationStore) private readonly store: NotificationStore,
    @inject(Inboxes) private readonly inboxes: Inboxes,
  ) {}

  /** Ignores a thread, or subscribes to it. Resolves to the changed thread. */
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
  delete(key: string): Promise<ThreadRecord> {
    return this.#change(key, (record) => silenced(record, 'muted'));
  }

  async #change(key: string, next: (record: ThreadRecord) => ThreadRecord): Promise<ThreadRecord> {
    const { threads } = this.store;
    const changed = await this.store.transaction((transaction) => {
      const before = transaction.get(threads, key);
      if (before === undefined) throw new Error(`thread ${key} does not exist`);
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
