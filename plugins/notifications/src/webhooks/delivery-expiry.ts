import { inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import { NotificationSettings } from '../settings/notification-settings.js';
import { NotificationStore } from '../store/notification-store.js';

const hourMs = 3_600_000;

/** Deletes the records of deliveries that are refused for their age by now. */
@injectable()
export class DeliveryExpiry {
  constructor(
    @inject(NotificationStore) private readonly store: NotificationStore,
    @inject(NotificationSettings) private readonly settings: NotificationSettings,
    @inject(Logger) private readonly log: Logger,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  /** Deletes expired records now and every hour. */
  start(): void {
    const timer = setInterval(() => this.#run(), hourMs).unref();
    this.lifetime.add(() => clearInterval(timer));
    this.#run();
  }

  #run(): void {
    this.#deleteExpired().catch((error: unknown) => {
      const facts = { event: 'notifications.deliveries-not-deleted', error };
      this.log.warn(facts, 'failed to delete expired deliveries');
    });
  }

  async #deleteExpired(): Promise<void> {
    const { deliveries } = this.store;
    const limit = Date.now() - (this.settings.config.replayDays + 1) * 24 * hourMs;
    const expired = [...deliveries.entries()].filter(([, { at }]) => at < limit).map(([key]) => key);
    if (expired.length === 0) return;
    await this.store.transaction((transaction) => {
      for (const key of expired) transaction.delete(deliveries, key);
    });
  }
}
