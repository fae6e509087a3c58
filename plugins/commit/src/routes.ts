import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { queryOf, type Router, readOptionalJson, sendJson, statuses } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { CommitBody } from './commit-body.js';
import { CommitContainer } from './commit-container.js';
import { operations } from './operations.js';

/** Spec: POST /commit. Clients without a configuration of their own send `null`, or no body. */
@injectable()
export class CommitRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(CommitContainer) private readonly commitContainer: CommitContainer,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('commit', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.post('/commit', statuses.stateIsServerError, async (ctx) => {
      const query = queryOf(ctx);
      const body = await readOptionalJson(ctx, Type.Union([Type.Null(), CommitBody]));
      const repository = query.string('repo') ?? '';
      const tag = query.string('tag') ?? '';
      const id = await this.commitContainer.commit(
        {
          container: query.string('container') ?? '',
          ...(repository !== '' && { reference: tag === '' ? repository : `${repository}:${tag}` }),
          comment: query.string('comment') ?? '',
          author: query.string('author') ?? '',
          pause: query.boolean('pause', true),
          changes: query.all('changes'),
          ...(body !== null && body !== undefined && { config: body }),
        },
        { signal: ctx.state.signal },
      );
      sendJson(ctx, { Id: id }, 201);
    });
  }
}
