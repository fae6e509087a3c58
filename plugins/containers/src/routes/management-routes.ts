import { inject, injectable } from '@gantry/core/driver';
import { PruneFilters, queryOf, type Router, readJson, sendJson, statuses } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { decodeUpdateBody } from '../configuration/decode-bodies.js';
import { RemoveLink } from '../lifecycle/remove-link.js';
import { RenameContainer } from '../lifecycle/rename-container.js';
import { UpdateContainer } from '../lifecycle/update-container.js';
import { PruneContainers } from '../removal/prune-containers.js';
import { RemoveContainer } from '../removal/remove-container.js';
import { ConnectionRoutes } from './connection-routes.js';
import { PauseRoutes } from './pause-routes.js';

/** Spec: POST update, POST rename and DELETE of containers, with those of pauses and of networks. */
@injectable()
export class ManagementRoutes {
  constructor(
    @inject(UpdateContainer) private readonly updateContainer: UpdateContainer,
    @inject(RenameContainer) private readonly renameContainer: RenameContainer,
    @inject(RemoveContainer) private readonly removeContainer: RemoveContainer,
    @inject(PruneContainers) private readonly pruneContainers: PruneContainers,
    @inject(RemoveLink) private readonly removeLink: RemoveLink,
    @inject(PauseRoutes) private readonly pause: PauseRoutes,
    @inject(ConnectionRoutes) private readonly connections: ConnectionRoutes,
  ) {}

  declare(router: Router): void {
    this.pause.declare(router);
    this.connections.declare(router);

    router.post('/containers/:id/update', statuses.unavailableIsServerError, async (ctx) => {
      const body = decodeUpdateBody(await readJson(ctx, Type.Unknown()));
      sendJson(ctx, { Warnings: await this.updateContainer.update(ctx.params.id, body) });
    });

    router.post('/containers/:id/rename', async (ctx) => {
      await this.renameContainer.rename(ctx.params.id, queryOf(ctx).string('name') ?? '');
      ctx.status = 204;
    });

    router.post('/containers/prune', async (ctx) => {
      const { ids, reclaimed } = await this.pruneContainers.prune(PruneFilters.of(queryOf(ctx)), ctx.state);
      sendJson(ctx, { ContainersDeleted: ids.length > 0 ? ids : null, SpaceReclaimed: reclaimed });
    });

    router.delete('/containers/*name', statuses.unavailableIsServerError, async (ctx) => {
      const query = queryOf(ctx);
      const { name } = ctx.params;
      if (query.boolean('link')) await this.removeLink.removeLink(name);
      else await this.removeContainer.remove(name, { force: query.boolean('force'), volumes: query.boolean('v') });
      ctx.status = 204;
    });
  }
}
