import type { HostedRouter } from '@gantry/hosted-api/service';
import { markThreads, type RouteParts, repositoryOf, sendThreads } from './inbox-request.js';

/** Spec: GET /notifications. */
export function listRoutes(router: HostedRouter, parts: RouteParts): void {
  router.get('/notifications', (ctx, caller) => {
    sendThreads(ctx, parts, caller, parts.inboxes.of(caller.account.id).view, { fallback: 50, max: 50 });
  });
}

/** Spec: PUT /notifications, and both for one repository. */
export function inboxRoutes(router: HostedRouter, parts: RouteParts): void {
  router.put('/notifications', (ctx, { account }) => markThreads(ctx, parts, { accountId: account.id }));
  router.get('/repos/:owner/:repo/notifications', (ctx, caller) => {
    const { id } = repositoryOf(parts, caller, ctx.params);
    sendThreads(ctx, parts, caller, parts.inboxes.of(caller.account.id).ofRepository(id), { fallback: 30, max: 100 });
  });
  router.put('/repos/:owner/:repo/notifications', (ctx, caller) => {
    const { id } = repositoryOf(parts, caller, ctx.params);
    return markThreads(ctx, parts, { accountId: caller.account.id, repositoryId: id });
  });
}
