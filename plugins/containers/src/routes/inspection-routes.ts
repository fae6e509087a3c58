import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { queryOf, type Router, sendJson, statuses } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { InspectContainer } from '../inspection/inspect-container.js';
import { ListContainers } from '../inspection/list-containers.js';
import { TopContainer } from '../inspection/top-container.js';
import { parseList } from '../wire/parse-list.js';
import { operations } from './operations.js';

/** Spec: GET /containers/json, GET /containers/(id)/json and GET /containers/(id)/top. */
@injectable()
export class InspectionRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(ListContainers) private readonly listContainers: ListContainers,
    @inject(InspectContainer) private readonly inspectContainer: InspectContainer,
    @inject(TopContainer) private readonly topContainer: TopContainer,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('containers', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.get('/containers/json', async (ctx) => {
      sendJson(ctx, await this.listContainers.list(parseList(queryOf(ctx))));
    });

    router.get('/containers/:id/json', async (ctx) => {
      sendJson(ctx, await this.inspectContainer.inspect(ctx.params.id, { size: queryOf(ctx).boolean('size') }));
    });

    router.get('/containers/:id/top', statuses.refusalIsServerError, async (ctx) => {
      const args = queryOf(ctx).string('ps_args') ?? '';
      const { titles, processes } = await this.topContainer.top(ctx.params.id, args, { signal: ctx.state.signal });
      sendJson(ctx, { Titles: titles, Processes: processes });
    });
  }
}
