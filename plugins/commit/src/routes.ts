import { queryOf, type Router, readOptionalJson, sendJson, statuses } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import type { Commits } from './commit.js';
import { CommitBody } from './commit-body.js';

/** Spec: POST /commit. Clients without a configuration of their own send `null`, or no body. */
export function commitRoutes(router: Router, commits: Commits): void {
  router.post('/commit', statuses.stateIsServerError, async (ctx) => {
    const query = queryOf(ctx);
    const body = await readOptionalJson(ctx, Type.Union([Type.Null(), CommitBody]));
    const repository = query.string('repo') ?? '';
    const tag = query.string('tag') ?? '';
    const id = await commits.commit(
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
