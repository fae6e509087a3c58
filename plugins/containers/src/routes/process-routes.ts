import { queryOf, type Router, sendJson, statuses } from '@gantry/core/http';
import type { Parts } from '../parts.js';
import { top } from '../verbs/top.js';

/** Spec: GET /containers/(id)/top. */
export function processRoutes(router: Router, parts: Parts): void {
  router.get('/containers/:id/top', statuses.onlyNotFound, async (ctx) => {
    const args = queryOf(ctx).string('ps_args') ?? '';
    const { titles, processes } = await top(parts, ctx.params.id, args, { signal: ctx.state.signal });
    sendJson(ctx, { Titles: titles, Processes: processes });
  });
}
