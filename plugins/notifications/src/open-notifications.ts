import type { StateDriver } from '@gantry/core/contracts';
import type { Lifetime, Logger } from '@gantry/core/driver';
import { type HostedApi, readWebPage } from '@gantry/hosted-api/service';
import type { EventSource } from './activity.js';
import type { NotificationsConfig } from './config.js';
import { Inboxes } from './inbox/inboxes.js';
import { MarkRead } from './mark-read.js';
import { publish } from './publish.js';
import { RepositoryTexts } from './repository-json.js';
import { inboxRoutes, listRoutes } from './routes/inbox-routes.js';
import { ingestRoutes } from './routes/ingest-routes.js';
import { subscriptionRoutes, threadRoutes } from './routes/thread-routes.js';
import { watchRoutes } from './routes/watch-routes.js';
import type { Notifications } from './service.js';
import { Repositories } from './store/repositories.js';
import { NotificationStore } from './store/store.js';
import { Watches } from './store/watches.js';
import { Subscriptions } from './subscribe.js';
import { keepForgetting } from './webhooks/forget-deliveries.js';
import { readSecrets } from './webhooks/signature.js';
import { allSources } from './webhooks/sources/all-sources.js';
import { webhookRoutes } from './webhooks/webhook-routes.js';
import { ThreadWire } from './wire.js';

export interface NotificationParts {
  readonly config: NotificationsConfig;
  readonly state: StateDriver;
  readonly api: HostedApi;
  readonly log: Logger;
  readonly lifetime: Lifetime;
}

/** Either scope will do. Spec: Authentication. */
const scopes = ['notifications', 'repo'] as const;

/** Puts stores, inboxes and routes together. */
export async function openNotifications({ config, state, api, log, lifetime }: NotificationParts) {
  let current = { config, secrets: await readSecrets(config.webhooks) };
  const store = new NotificationStore(state);
  const repositories = new Repositories(store);
  const watches = new Watches(store);
  const inboxes = new Inboxes(store);
  const markRead = new MarkRead(store, inboxes, log, () => current.config.markAtOnce);
  const sources = new Set<EventSource>(allSources);
  const parts = {
    ...{ store, repositories, watches, inboxes },
    account: (login: string) => api.account(login),
    accountWithId: (id: number) => api.accountWithId(id),
  };
  const service: Notifications = {
    publish: (activity) => publish(parts, [{ kind: 'activity', ...activity }]),
    publishAll: (happenings, once) => publish(parts, happenings, once),
    addSource(source) {
      sources.add(source);
      return () => sources.delete(source);
    },
  };
  const texts = new RepositoryTexts();
  const routeParts = { api, inboxes, repositories, markRead, wire: new ThreadWire(repositories, texts) };
  const owner = 'notifications';
  const replayDays = (): number => current.config.replayDays;
  const receiver = { secrets: () => current.secrets, sources: () => sources, replayDays };
  const page = await readWebPage(new URL('../web/', import.meta.url), { title: 'Inbox', name: 'inbox' });
  for (const remove of [
    api.routes(owner, { scopes, spamIsInvalid: true }, (router) => listRoutes(router, routeParts)),
    api.routes(owner, { scopes }, (router) => {
      inboxRoutes(router, routeParts);
      threadRoutes(router, routeParts);
      subscriptionRoutes(router, routeParts, new Subscriptions(store, inboxes));
      watchRoutes(router, routeParts, watches, texts);
    }),
    api.routes(owner, { scopes: ['ingest'] }, (router) => ingestRoutes(router, service)),
    api.openRoutes(owner, (router) => webhookRoutes(router, service, receiver)),
    api.addPage(owner, page),
  ]) {
    lifetime.add(remove);
  }
  return {
    service,
    async start(): Promise<void> {
      keepForgetting(store, replayDays, log, lifetime);
    },
    async reconfigure(changed: NotificationsConfig): Promise<void> {
      current = { config: changed, secrets: await readSecrets(changed.webhooks) };
    },
    stop: () => markRead.settled(),
  };
}
