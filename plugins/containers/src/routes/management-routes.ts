import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { adaptBody, queryOf, type Router, readJson, sendJson, statuses } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { decodeUpdateBody } from '../configuration/decode-bodies.js';
import { RenameContainer } from '../lifecycle/rename-container.js';
import { UpdateContainer } from '../lifecycle/update-container.js';
import { operations } from './operations.js';

/** Spec: POST update and rename of containers. */
@injectable()
export class ManagementRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(UpdateContainer) private readonly updateContainer: UpdateContainer,
    @inject(RenameContainer) private readonly renameContainer: RenameContainer,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('containers', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.post('/containers/:id/update', statuses.unavailableIsServerError, async (ctx) => {
      const body = adaptBody(ctx, decodeUpdateBody(await readJson(ctx, Type.Unknown())));
      sendJson(ctx, { Warnings: await this.updateContainer.update(ctx.params.id, body) });
    });

    router.post('/containers/:id/rename', async (ctx) => {
      await this.renameContainer.rename(ctx.params.id, queryOf(ctx).string('name') ?? '');
      ctx.status = 204;
    });
  }
}
