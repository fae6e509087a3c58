import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { HostedApi, readWebPage } from '@gantry/hosted-api/service';
import type { NotificationsConfig } from './config.js';
import { MarkRead } from './inbox/mark-read.js';
import { InboxRoutes } from './routes/inbox-routes.js';
import { IngestRoutes } from './routes/ingest-routes.js';
import { SubscriptionRoutes } from './routes/subscription-routes.js';
import { ThreadRoutes } from './routes/thread-routes.js';
import { WatchRoutes } from './routes/watch-routes.js';
import { NotificationSettings } from './settings/notification-settings.js';
import { DeliveryExpiry } from './webhooks/delivery-expiry.js';
import { WebhookRoutes } from './webhooks/webhook-routes.js';

/** Starts and stops the plugin. */
@injectable()
export class NotificationsLifecycle {
  readonly #routes: readonly { start(): Promise<void> }[];

  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(NotificationSettings) private readonly settings: NotificationSettings,
    @inject(DeliveryExpiry) private readonly expiry: DeliveryExpiry,
    @inject(MarkRead) private readonly markRead: MarkRead,
    @inject(InboxRoutes) inbox: InboxRoutes,
    @inject(ThreadRoutes) threads: ThreadRoutes,
    @inject(SubscriptionRoutes) subscriptions: SubscriptionRoutes,
    @inject(WatchRoutes) watches: WatchRoutes,
    @inject(IngestRoutes) ingest: IngestRoutes,
    @inject(WebhookRoutes) webhooks: WebhookRoutes,
  ) {
    this.#routes = [inbox, threads, subscriptions, watches, ingest, webhooks];
  }

  async start(): Promise<void> {
    this.expiry.start();
    for (const routes of this.#routes) await routes.start();
    const page = await readWebPage(new URL('../web/', import.meta.url), { title: 'Inbox', name: 'inbox' });
    this.lifetime.add(this.api.addPage('notifications', page));
  }

  async reconfigure(config: NotificationsConfig): Promise<void> {
    await this.settings.reload(config);
  }

  stop(): Promise<void> {
    return this.markRead.settled();
  }
}
