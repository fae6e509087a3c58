import { queryOf, type Router, type StatusExceptions, sendJson } from '@gantry/core/http';
import type { Parts } from '../parts.js';
import { top } from '../verbs/top.js';

/** The document lists 404 and 500 only. */
const onlyServerError = {
  unavailable: 500,
  conflict: 500,
  'invalid-argument': 500,
  'not-implemented': 500,
} as const satisfies StatusExceptions;

/** Spec: GET /containers/(id)/top. */
export function processRoutes(router: Router, parts: Parts): void {
  router
    .get('/containers/:id/top', async (ctx) => {
      const args = queryOf(ctx).string('ps_args') ?? '';
      const { titles, processes } = await top(parts, ctx.params.id, args, { signal: ctx.state.signal });
      sendJson(ctx, { Titles: titles, Processes: processes });
    })
    .errors(onlyServerError);
}
