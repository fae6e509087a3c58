import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { jsonStream, type Query, queryOf, type Router, statuses } from '@gantry/core/http';
import { EngineApi, worksWithoutDisk } from '@gantry/engine-api/service';
import { KillContainer } from '../lifecycle/kill-container.js';
import { RestartContainer } from '../lifecycle/restart-container.js';
import { StopContainer } from '../lifecycle/stop-container.js';
import { parseWaitCondition } from '../lifecycle/wait-condition.js';
import { WaitForContainer } from '../lifecycle/wait-for-container.js';
import { parseSignal } from '../signals.js';
import type { StopOptions } from '../tasks/termination.js';
import { judgeOf } from './judge-of.js';
import { operations } from './operations.js';

/** Spec: POST stop, restart, kill and wait of containers. */
@injectable()
export class TerminationRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(StopContainer) private readonly stopContainer: StopContainer,
    @inject(RestartContainer) private readonly restartContainer: RestartContainer,
    @inject(KillContainer) private readonly killContainer: KillContainer,
    @inject(WaitForContainer) private readonly waitForContainer: WaitForContainer,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('containers', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.post('/containers/:id/stop', worksWithoutDisk, statuses.refusalIsServerError, async (ctx) => {
      await this.stopContainer.stop(ctx.params.id, parseStop(queryOf(ctx)));
      ctx.status = 204;
    });

    router.post('/containers/:id/restart', statuses.failedStartIsServerError, async (ctx) => {
      await this.restartContainer.restart(ctx.params.id, parseStop(queryOf(ctx)), judgeOf(ctx));
      ctx.status = 204;
    });

    router.post('/containers/:id/kill', worksWithoutDisk, statuses.refusalIsServerError, async (ctx) => {
      await this.killContainer.kill(ctx.params.id, queryOf(ctx).string('signal'));
      ctx.status = 204;
    });

    router.post('/containers/:id/wait', worksWithoutDisk, async (ctx) => {
      ctx.state.endless();
      const { signal } = ctx.state;
      const condition = parseWaitCondition(queryOf(ctx).string('condition'));
      const exitCode = this.waitForContainer.wait(ctx.params.id, { condition, signal });
      // Clients start the container when the head has arrived: from then on no exit is missed.
      const response = jsonStream(ctx);
      if (ctx.state.speaks('early-wait-head')) response.open();
      await response.write({ StatusCode: await exitCode });
    });
  }
}

function parseStop(query: Query): StopOptions {
  const [seconds, signal] = [query.integer('t'), query.string('signal') ?? ''];
  return { ...(seconds !== undefined && { seconds }), ...(signal !== '' && { signal: parseSignal(signal) }) };
}
