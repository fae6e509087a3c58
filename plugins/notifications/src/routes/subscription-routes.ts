import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { type Context, sendJson } from '@gantry/core/http';
import {
  bodyParameters,
  entityTag,
  HostedApi,
  type HostedRouter,
  isConditional,
  isUnchanged,
  queryParameters,
} from '@gantry/hosted-api/service';
import { Subscriptions } from '../inbox/subscriptions.js';
import type { ThreadRecord } from '../store/records.js';
import { subscriptionJson } from '../wire/subscription-json.js';
import { InboxAccess } from './inbox-access.js';

const path = '/notifications/threads/:id/subscription';

/** Spec: GET, PUT and DELETE /notifications/threads/{thread_id}/subscription. */
@injectable()
export class SubscriptionRoutes {
  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(InboxAccess) private readonly access: InboxAccess,
    @inject(Subscriptions) private readonly subscriptions: Subscriptions,
  ) {}

  async start(): Promise<void> {
    const access = { scopes: ['notifications', 'repo'] } as const;
    this.lifetime.add(this.api.routes('notifications', access, (router) => this.declare(router)));
  }

  declare(router: HostedRouter): void {
    router.get(path, (ctx, caller) => {
      const { record } = this.access.thread(caller, ctx.params.id);
      ctx.res.setHeader('X-Poll-Interval', this.api.pollInterval());
      if (record.subscription === 'default' || record.subscription === 'muted') throw notFound('no subscription');
      this.#send(ctx, record);
    });
    router.put(path, async (ctx, caller) => {
      const { key, record } = this.access.thread(caller, ctx.params.id);
      const ignored =
        (await bodyParameters(ctx, 'Subscription')).boolean('ignored') ??
        queryParameters(ctx, 'Subscription').boolean('ignored') ??
        false;
      const after = await this.subscriptions.put(key, ignored);
      if (isConditional(ctx) && after.subscription === record.subscription) this.#send(ctx, after);
      else sendJson(ctx, subscriptionJson(after, this.api.baseUrl(ctx)));
    });
    router.delete(path, async (ctx, caller) => {
      const { key, record } = this.access.thread(caller, ctx.params.id);
      await this.subscriptions.delete(key);
      ctx.status = isConditional(ctx) && record.subscription === 'muted' ? 304 : 204;
    });
  }

  #send<P>(ctx: Context<P>, record: ThreadRecord): void {
    const json = subscriptionJson(record, this.api.baseUrl(ctx));
    const etag = entityTag([JSON.stringify(json)]);
    if (isUnchanged(ctx, { etag, lastModified: record.subscribedAt ?? 0 })) ctx.status = 304;
    else sendJson(ctx, json);
  }
}
