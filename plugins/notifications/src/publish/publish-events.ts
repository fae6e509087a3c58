import type { Transaction } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import type { NotificationEvent } from '../activity.js';
import { Inboxes } from '../inbox/inboxes.js';
import type { PublishResult } from '../service.js';
import { NotificationStore } from '../store/notification-store.js';
import { Repositories } from '../store/repositories.js';
import { checkSubject } from './check-subject.js';
import { type ChangedThread, UpdateThreads } from './update-threads.js';

@injectable()
export class PublishEvents {
  constructor(
    @inject(NotificationStore) private readonly store: NotificationStore,
    @inject(Repositories) private readonly repositories: Repositories,
    @inject(Inboxes) private readonly inboxes: Inboxes,
    @inject(UpdateThreads) private readonly updateThreads: UpdateThreads,
  ) {}

  /**
   * Applies events in one transaction, together with the key that identifies a repetition. The inboxes show the threads
   * once they are durable.
   */
  async publish(
    events: readonly NotificationEvent[],
    once?: string,
  ): Promise<PublishResult & { readonly repeated: boolean }> {
    for (const event of events) if (event.kind === 'activity') checkSubject(event.subject);
    const changed = await this.store.transaction((transaction) => {
      const { deliveries } = this.store;
      if (once !== undefined && transaction.get(deliveries, once) !== undefined) return undefined;
      if (once !== undefined) transaction.put(deliveries, once, { at: Date.now() });
      return events.flatMap((event) => this.#apply(transaction, event));
    });
    for (const { accountId, key } of changed ?? []) this.inboxes.show(accountId, key);
    const notified = new Set((changed ?? []).filter(({ isNotified }) => isNotified).map(({ key }) => key));
    return { threads: notified.size, repeated: changed === undefined };
  }

  #apply(transaction: Transaction, event: NotificationEvent): readonly ChangedThread[] {
    switch (event.kind) {
      case 'activity':
        return this.updateThreads.update(transaction, event);
      case 'reader':
        this.repositories.setReader(transaction, event.repository, event.login, event.allowed);
        return [];
      case 'team-member':
        this.store.setTeamMember(transaction, event.team, event.login, event.joined);
        return [];
    }
  }
}
