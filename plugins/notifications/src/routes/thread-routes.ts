import { notFound } from '@gantry/core/errors';
import { type Context, sendJson, statuses } from '@gantry/core/http';
import {
  bodyParameters,
  entityTag,
  type HostedRouter,
  isConditional,
  isUnchanged,
  queryParameters,
} from '@gantry/hosted-api/service';
import type { ThreadRecord } from '../store/records.js';
import type { Subscriptions } from '../subscribe.js';
import { subscriptionJson } from '../wire.js';
import { type RouteParts, threadOf } from './inbox-request.js';

/** Spec: GET and PATCH /notifications/threads/{thread_id}. */
export function threadRoutes(router: HostedRouter, parts: RouteParts): void {
  router.get('/notifications/threads/:id', (ctx, caller) => {
    const entry = threadOf(parts, caller, ctx.params.id);
    const baseUrl = parts.api.baseUrl(ctx);
    if (isUnchanged(ctx, { etag: parts.wire.tag([entry], baseUrl), lastModified: entry.arrivedAt })) {
      ctx.status = 304;
      return;
    }
    sendJson(ctx, `${parts.wire.text(entry, baseUrl)}\n`);
  });
  // Spec: Codes 205, 304 and 403; 401 is for routes that list it.
  router.patch('/notifications/threads/:id', statuses.unauthorizedIsForbidden, async (ctx, caller) => {
    const changed = await parts.markRead.thread(caller.account.id, threadOf(parts, caller, ctx.params.id));
    ctx.status = !changed && isConditional(ctx) ? 304 : 205;
  });
}

/** Spec: GET, PUT and DELETE /notifications/threads/{thread_id}/subscription. */
export function subscriptionRoutes(router: HostedRouter, parts: RouteParts, subscriptions: Subscriptions): void {
  const path = '/notifications/threads/:id/subscription';
  const send = <P>(ctx: Context<P>, record: ThreadRecord): void => {
    const answer = subscriptionJson(record, parts.api.baseUrl(ctx));
    const etag = entityTag([JSON.stringify(answer)]);
    if (isUnchanged(ctx, { etag, lastModified: record.subscribedAt ?? 0 })) ctx.status = 304;
    else sendJson(ctx, answer);
  };
  router.get(path, (ctx, caller) => {
    const { record } = threadOf(parts, caller, ctx.params.id);
    if (record.subscription === 'default' || record.subscription === 'muted') throw notFound('no subscription');
    send(ctx, record);
  });
  router.put(path, async (ctx, caller) => {
    const { key, record } = threadOf(parts, caller, ctx.params.id);
    const ignored =
      (await bodyParameters(ctx, 'Subscription')).boolean('ignored') ??
      queryParameters(ctx, 'Subscription').boolean('ignored') ??
      false;
    const after = await subscriptions.put(key, ignored);
    if (isConditional(ctx) && after.subscription === record.subscription) send(ctx, after);
    else sendJson(ctx, subscriptionJson(after, parts.api.baseUrl(ctx)));
  });
  router.delete(path, async (ctx, caller) => {
    const { key, record } = threadOf(parts, caller, ctx.params.id);
    await subscriptions.remove(key);
    ctx.status = isConditional(ctx) && record.subscription === 'muted' ? 304 : 204;
  });
}
