import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { type Context, queryOf, type Router, rawBody, readJson, sendJson, statuses } from '@gantry/core/http';
import { worksWithoutDisk } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { decodeCreateBody } from '../configuration/decode-bodies.js';
import { CreateContainer } from '../lifecycle/create-container.js';
import { KillContainer } from '../lifecycle/kill-container.js';
import { RestartContainer } from '../lifecycle/restart-container.js';
import { StartContainer } from '../lifecycle/start-container.js';
import { StopContainer } from '../lifecycle/stop-container.js';
import { WaitForContainer } from '../lifecycle/wait-for-container.js';
import type { Judge } from '../review/container-review.js';

/** Spec: POST create, start, stop, restart, kill and wait of containers. */
@injectable()
export class LifecycleRoutes {
  constructor(
    @inject(CreateContainer) private readonly createContainer: CreateContainer,
    @inject(StartContainer) private readonly startContainer: StartContainer,
    @inject(StopContainer) private readonly stopContainer: StopContainer,
    @inject(RestartContainer) private readonly restartContainer: RestartContainer,
    @inject(KillContainer) private readonly killContainer: KillContainer,
    @inject(WaitForContainer) private readonly waitForContainer: WaitForContainer,
  ) {}

  declare(router: Router): void {
    router.post('/containers/create', statuses.unavailableIsServerError, async (ctx) => {
      const body = decodeCreateBody(await readJson(ctx, Type.Unknown()));
      const { id, warnings } = await this.createContainer.create(body, queryOf(ctx).string('name'), {
        judge: judgeOf(ctx),
      });
      sendJson(ctx, { Id: id, Warnings: warnings }, 201);
    });

    router.post('/containers/:id/start', statuses.failedStartIsServerError, async (ctx) => {
      await refuseBody(ctx);
      const detachKeys = queryOf(ctx).string('detachKeys');
      await this.startContainer.start(ctx.params.id, { detachKeys, judge: judgeOf(ctx) });
      ctx.status = 204;
    });

    router.post('/containers/:id/stop', worksWithoutDisk, statuses.refusalIsServerError, async (ctx) => {
      await this.stopContainer.stop(ctx.params.id, queryOf(ctx).integer('t'));
      ctx.status = 204;
    });

    router.post('/containers/:id/restart', statuses.failedStartIsServerError, async (ctx) => {
      await this.restartContainer.restart(ctx.params.id, queryOf(ctx).integer('t'), judgeOf(ctx));
      ctx.status = 204;
    });

    router.post('/containers/:id/kill', worksWithoutDisk, statuses.refusalIsServerError, async (ctx) => {
      await this.killContainer.kill(ctx.params.id, queryOf(ctx).string('signal'));
      ctx.status = 204;
    });

    router.post('/containers/:id/wait', worksWithoutDisk, async (ctx) => {
      ctx.state.endless();
      const code = await this.waitForContainer.wait(ctx.params.id, { signal: ctx.state.signal });
      sendJson(ctx, { StatusCode: code });
    });
  }
}

/** Hooks that judge requests by their bodies judge the container as it would run. */
const judgeOf =
  (ctx: Context): Judge =>
  (effective) =>
    ctx.state.review(effective);

/** Before API 1.24 a start could bring a HostConfig. Clients still send empty bodies, and `null`. */
async function refuseBody(ctx: Context): Promise<void> {
  const body = (await rawBody(ctx)).toString('utf8').trim();
  if (body === '' || body === 'null' || /^\{\s*\}$/.test(body)) return;
  throw invalidArgument(
    'starting container with non-empty request body was deprecated since API v1.22 and removed in v1.24',
  );
}
