import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { type Context, type Filters, jsonStream, queryOf, type Router } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { eventJson } from './event-json.js';
import { type EventFilters, eventFilterKeys } from './event-matcher.js';
import { EventService } from './event-service.js';
import { operations } from './operations.js';

const toEventFilters = (filters: Filters): EventFilters =>
  Object.fromEntries(filters.keys.map((key) => [key, filters.get(key)]));

/** Spec: GET /events. */
@injectable()
export class EventRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(EventService) private readonly service: EventService,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('events', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.get('/events', (ctx) => this.#stream(ctx));
  }

  async #stream(ctx: Context): Promise<void> {
    const query = queryOf(ctx);
    const since = query.timestamp('since');
    const until = query.timestamp('until');
    if (since !== undefined && until !== undefined && until < since) {
      throw invalidArgument(`until: ${query.string('until')} is before since: ${query.string('since')}`);
    }
    const filters = toEventFilters(query.filters(eventFilterKeys));
    // A query that ends in the past is a replay, bounded by the size of the history.
    if (until === undefined || until > BigInt(Date.now()) * 1_000_000n) ctx.state.endless();
    const events = this.service.stream({
      filters,
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      signal: ctx.state.signal,
    });
    const hasScope = ctx.state.speaks('event-scope');
    const hasImageCreation = ctx.state.speaks('image-create-events');
    const stream = jsonStream(ctx);
    if (ctx.state.isEndless) stream.open();
    for await (const event of events) {
      if (!hasImageCreation && event.type === 'image' && event.action === 'create') continue;
      await stream.write(eventJson(event, { hasScope }));
    }
  }
}
