import { StateDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { HostedAccounts, HostedApi } from '@gantry/hosted-api/service';
import { configSchema } from './config.js';
import { Inboxes } from './inbox/inboxes.js';
import { MarkRead } from './inbox/mark-read.js';
import { Subscriptions } from './inbox/subscriptions.js';
import { InboxPage } from './inbox-page.js';
import { NotificationsLifecycle } from './notifications-lifecycle.js';
import { NotificationsService } from './notifications-service.js';
import { PublishEvents } from './publish/publish-events.js';
import { UpdateThreads } from './publish/update-threads.js';
import { InboxAccess } from './routes/inbox-access.js';
import { InboxRoutes } from './routes/inbox-routes.js';
import { IngestRoutes } from './routes/ingest-routes.js';
import { SubscriptionRoutes } from './routes/subscription-routes.js';
import { ThreadRoutes } from './routes/thread-routes.js';
import { WatchRoutes } from './routes/watch-routes.js';
import { Notifications } from './service.js';
import { NotificationSettings } from './settings/notification-settings.js';
import { NotificationStore } from './store/notification-store.js';
import { Repositories } from './store/repositories.js';
import { Watches } from './store/watches.js';
import { DeliveryExpiry } from './webhooks/delivery-expiry.js';
import { EventSources } from './webhooks/event-sources.js';
import { ReadDelivery } from './webhooks/read-delivery.js';
import { WebhookRoutes } from './webhooks/webhook-routes.js';
import { RepositoryTexts } from './wire/repository-texts.js';
import { ThreadWire } from './wire/thread-wire.js';

export default definePlugin({
  id: 'notifications',
  provides: [Notifications],
  requires: [HostedApi, HostedAccounts, StateDrivers],
  configSchema,
  async setup({ config, container }) {
    container.registerValue(NotificationSettings, await NotificationSettings.read(config));
    container.register(NotificationStore, Repositories, Watches, Inboxes, MarkRead, Subscriptions);
    container.register(PublishEvents, UpdateThreads, EventSources, ReadDelivery, DeliveryExpiry);
    container.register(RepositoryTexts, ThreadWire, InboxAccess, NotificationsService);
    container.registerHooks(NotificationsLifecycle, InboxRoutes, ThreadRoutes, SubscriptionRoutes, WatchRoutes);
    container.registerHooks(IngestRoutes, WebhookRoutes);
    container.provide(Notifications, NotificationsService);
    return InboxPage;
  },
});
