import { notFound } from '@gantry/core/errors';
import { type Router, sendJson } from '@gantry/core/http';
import { personJson } from './account-json.js';
import type { BaseUrl } from './base-url.js';
import type { HostedRouter } from './hosted-router.js';
import { isoSecond } from './iso-moment.js';
import type { WebPages } from './pages.js';
import type { RateLimiter } from './rate-limit.js';

/** `GET /user`: whom a token stands for; clients ask it to check a token. */
export function userRoutes(router: HostedRouter, baseUrl: BaseUrl): void {
  router.get('/user', (ctx, { account }) => {
    sendJson(ctx, { ...personJson(account, baseUrl.of(ctx)), created_at: isoSecond(account.createdAt) });
  });
}

/** `GET /rate_limit`: costs nothing. */
export function limitRoutes(router: HostedRouter, limiter: RateLimiter): void {
  router.get('/rate_limit', (ctx, { account }) => {
    const core = { ...limiter.status(String(account.id)), resource: 'core' };
    sendJson(ctx, { resources: { core }, rate: core });
  });
}

/** `GET /pages` for the navigation; the top leads to the first page. */
export function pageRoutes(router: Router, pages: WebPages): void {
  router.get('/pages', (ctx) =>
    sendJson(
      ctx,
      pages.list().map(({ title, path }) => ({ title, path })),
    ),
  );
  router.get('/', (ctx) => {
    const [first] = pages.list();
    if (first === undefined) throw notFound('there is no page');
    ctx.redirect(first.path);
    ctx.body = '';
  });
}
