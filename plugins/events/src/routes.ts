import { invalidArgument } from '@gantry/core/errors';
import { type Filters, jsonStream, queryOf, type Router } from '@gantry/core/http';
import type { EventService } from './event-service.js';
import { type EventFilters, eventFilterKeys } from './filter.js';
import { eventJson } from './wire.js';

const toEventFilters = (filters: Filters): EventFilters =>
  Object.fromEntries(filters.keys.map((key) => [key, filters.get(key)]));

/** Spec: GET /events. */
export function eventRoutes(router: Router, service: EventService): void {
  router.get('/events', async (ctx) => {
    const query = queryOf(ctx);
    const since = query.timestamp('since');
    const until = query.timestamp('until');
    if (since !== undefined && until !== undefined && until < since) {
      throw invalidArgument(`until: ${query.string('until')} is before since: ${query.string('since')}`);
    }
    const filters = toEventFilters(query.filters(eventFilterKeys));
    // What is past is told as fast as it is read.
    if (until === undefined || until > BigInt(Date.now()) * 1_000_000n) ctx.state.endless();
    const events = service.stream({
      filters,
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      signal: ctx.state.signal,
    });
    const stream = jsonStream(ctx);
    if (ctx.state.isEndless) stream.open();
    for await (const event of events) await stream.write(eventJson(event));
  });
}
