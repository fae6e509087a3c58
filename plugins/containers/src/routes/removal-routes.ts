import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { PruneFilters, queryOf, type Router, sendJson, statuses } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { RemoveLink } from '../lifecycle/remove-link.js';
import { PruneContainers } from '../removal/prune-containers.js';
import { RemoveContainer } from '../removal/remove-container.js';
import { operations } from './operations.js';

/** Spec: DELETE and POST prune of containers. */
@injectable()
export class RemovalRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(RemoveContainer) private readonly removeContainer: RemoveContainer,
    @inject(RemoveLink) private readonly removeLink: RemoveLink,
    @inject(PruneContainers) private readonly pruneContainers: PruneContainers,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('containers', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
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
