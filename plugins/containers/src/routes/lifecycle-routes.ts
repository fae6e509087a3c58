import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import {
  adaptBody,
  type Context,
  queryOf,
  type Router,
  rawBody,
  readJson,
  sendJson,
  statuses,
} from '@gantry/core/http';
import { EngineApi, worksWithoutDisk } from '@gantry/engine-api/service';
import { parsePlatform } from '@gantry/images/service';
import { Type } from '@sinclair/typebox';
import { decodeCreateBody } from '../configuration/decode-bodies.js';
import { CreateContainer } from '../lifecycle/create-container.js';
import { PauseContainer } from '../lifecycle/pause-container.js';
import { StartContainer } from '../lifecycle/start-container.js';
import { UnpauseContainer } from '../lifecycle/unpause-container.js';
import { judgeOf } from './judge-of.js';
import { operations } from './operations.js';

/** Spec: POST create, start, pause and unpause of containers. */
@injectable()
export class LifecycleRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(CreateContainer) private readonly createContainer: CreateContainer,
    @inject(StartContainer) private readonly startContainer: StartContainer,
    @inject(PauseContainer) private readonly pauseContainer: PauseContainer,
    @inject(UnpauseContainer) private readonly unpauseContainer: UnpauseContainer,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('containers', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.post('/containers/create', statuses.unavailableIsServerError, async (ctx) => {
      const body = adaptBody(ctx, decodeCreateBody(await readJson(ctx, Type.Unknown())));
      const query = queryOf(ctx);
      const { id, warnings } = await this.createContainer.create(body, query.string('name'), {
        platform: parsePlatform('platform', query.string('platform') ?? ''),
        privateIpc: ctx.state.speaks('private-ipc'),
        recursiveReadOnly: ctx.state.speaks('recursive-read-only'),
        namedDefaults: ctx.state.speaks('named-defaults'),
        judge: judgeOf(ctx),
      });
      const isDeprecated = Boolean(body.MacAddress) && ctx.state.speaks('endpoint-mac-address');
      sendJson(ctx, { Id: id, Warnings: isDeprecated ? [...warnings, deprecatedMacAddress] : warnings }, 201);
    });

    router.post('/containers/:id/start', statuses.failedStartIsServerError, async (ctx) => {
      await refuseBody(ctx);
      const detachKeys = queryOf(ctx).string('detachKeys');
      await this.startContainer.start(ctx.params.id, { detachKeys, judge: judgeOf(ctx) });
      ctx.status = 204;
    });

    router.post('/containers/:id/pause', worksWithoutDisk, statuses.refusalIsServerError, async (ctx) => {
      await this.pauseContainer.pause(ctx.params.id);
      ctx.status = 204;
    });

    router.post('/containers/:id/unpause', worksWithoutDisk, statuses.refusalIsServerError, async (ctx) => {
      await this.unpauseContainer.unpause(ctx.params.id);
      ctx.status = 204;
    });
  }
}

const deprecatedMacAddress =
  'MacAddress: deprecated since API 1.44; set it in the EndpointsConfig of a network instead.';

/** Before API 1.24 a start could bring a HostConfig. Clients still send empty bodies, and `null`. */
async function refuseBody(ctx: Context): Promise<void> {
  const body = (await rawBody(ctx)).toString('utf8').trim();
  if (body === '' || body === 'null' || /^\{\s*\}$/.test(body)) return;
  throw invalidArgument(
    'starting container with non-empty request body was deprecated since API v1.22 and removed in v1.24',
  );
}
