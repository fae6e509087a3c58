import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { type Context, jsonStream, queryOf, type Router, statuses } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { ContainerStats } from './container-stats.js';
import { operations } from './operations.js';

/** Spec: GET /containers/(id)/stats. */
@injectable()
export class ContainerStatsRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(ContainerStats) private readonly stats: ContainerStats,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('container-stats', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.get('/containers/:id/stats', statuses.refusalIsServerError, (ctx) => this.#stats(ctx, ctx.params.id));
  }

  async #stats(ctx: Context, reference: string): Promise<void> {
    const query = queryOf(ctx);
    const stream = query.boolean('stream', true);
    const oneShot = query.boolean('one-shot');
    if (stream && oneShot) throw invalidArgument('cannot have stream=true and one-shot=true');
    const records = this.stats.read(reference, { stream, oneShot, signal: ctx.state.signal });
    const response = jsonStream(ctx);
    if (stream) {
      ctx.state.endless();
      response.open();
    }
    for await (const record of records) await response.write(record);
  }
}
