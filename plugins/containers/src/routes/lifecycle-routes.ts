import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import {
  adaptBody,
  type Context,
  jsonStream,
  type Query,
  queryOf,
  type Router,
  rawBody,
  readJson,
  sendJson,
  statuses,
} from '@gantry/core/http';
import { worksWithoutDisk } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { decodeCreateBody } from '../configuration/decode-bodies.js';
import { CreateContainer } from '../lifecycle/create-container.js';
import { KillContainer } from '../lifecycle/kill-container.js';
import { RestartContainer } from '../lifecycle/restart-container.js';
import { StartContainer } from '../lifecycle/start-container.js';
import { StopContainer } from '../lifecycle/stop-container.js';
import { parseWaitCondition } from '../lifecycle/wait-condition.js';
import { WaitForContainer } from '../lifecycle/wait-for-container.js';
import type { Judge } from '../review/container-review.js';
import { parseSignal } from '../signals.js';
import type { StopOptions } from '../tasks/termination.js';

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
      const body = adaptBody(ctx, decodeCreateBody(await readJson(ctx, Type.Unknown())));
      const { id, warnings } = await this.createContainer.create(body, queryOf(ctx).string('name'), {
        privateIpc: ctx.state.speaks('private-ipc'),
        recursiveReadOnly: ctx.state.speaks('recursive-read-only'),
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

function parseStop(query: Query): StopOptions {
  const [seconds, signal] = [query.integer('t'), query.string('signal') ?? ''];
  return { ...(seconds !== undefined && { seconds }), ...(signal !== '' && { signal: parseSignal(signal) }) };
}
