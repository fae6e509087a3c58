import { jsonStream, queryOf, type Router, type StatusExceptions, sendJson } from '@gantry/core/http';
import type { Parts } from '../parts.js';
import { stats } from '../stats/stats.js';
import type { StatsSamplers } from '../stats/stats-samplers.js';
import { top } from '../verbs/top.js';

/** The document lists 404 and 500 only. */
const onlyServerError = {
  unavailable: 500,
  conflict: 500,
  'invalid-argument': 500,
  'not-implemented': 500,
} as const satisfies StatusExceptions;

/** Spec: GET /containers/(id)/top and GET /containers/(id)/stats. */
export function processRoutes(router: Router, parts: Parts, samplers: StatsSamplers): void {
  router
    .get('/containers/:id/top', async (ctx) => {
      const args = queryOf(ctx).string('ps_args') ?? '';
      const { titles, processes } = await top(parts, ctx.params.id, args, { signal: ctx.state.signal });
      sendJson(ctx, { Titles: titles, Processes: processes });
    })
    .errors(onlyServerError);

  router
    .get('/containers/:id/stats', async (ctx) => {
      const query = queryOf(ctx);
      const stream = query.boolean('stream', true);
      const { signal } = ctx.state;
      const container = parts.store.get(ctx.params.id);
      const records = stats(samplers, container, { stream, oneShot: query.boolean('one-shot'), signal });
      const answer = jsonStream(ctx);
      if (stream) {
        ctx.state.endless();
        answer.open();
      }
      for await (const record of records) await answer.write(record);
    })
    .errors(onlyServerError);
}
