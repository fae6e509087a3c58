import { notFound } from '@gantry/core/errors';
import { type Router, sendJson } from '@gantry/core/http';
import { bodyParameters, isoSecond } from '@gantry/hosted-api/service';
import type { ImportStore } from '../store/import-store.js';
import type { RepositoryRecord } from '../store/records.js';
import type { Repositories } from '../store/repositories.js';
import type { Switches } from '../store/switches.js';

export interface OperatorParts {
  readonly repositories: Repositories;
  readonly store: ImportStore;
  readonly switches: Switches;
}

/** What `gantry-import` asks for, over a socket that only the operator may open. */
export function operatorRoutes(router: Router, { repositories, store, switches }: OperatorParts): void {
  router.get('/import-repositories', (ctx) => sendJson(ctx, repositories.list().map(shown)));
  router.post('/import-repositories', async (ctx) => {
    const body = await bodyParameters(ctx, 'Repository');
    const [owner, name] = [body.string('owner'), body.string('name')];
    if (owner === undefined) throw body.missing('owner');
    if (name === undefined) throw body.missing('name');
    const maintainers = body
      .string('maintainers')
      ?.split(',')
      .map((login) => login.trim());
    const made = await repositories.create({
      ...{ owner, name, private: body.boolean('private') ?? true },
      ...(maintainers !== undefined && { maintainers }),
    });
    sendJson(ctx, shown(made), 201);
  });
  router.patch('/import-repositories/:owner/:repo', async (ctx) => {
    const repository = repositories.find(ctx.params.owner, ctx.params.repo);
    if (repository === undefined) throw notFound('no such repository');
    const body = (await bodyParameters(ctx, 'Repository')).only('workflows');
    await repositories.change(repository.id, { workflows: body.boolean('workflows') ?? repository.workflows });
    sendJson(ctx, shown(repositories.withId(repository.id) ?? repository));
  });
  router.get('/imports', (ctx) => {
    sendJson(
      ctx,
      store.list().map(({ id, repositoryId, url, state, updatedAt }) => {
        const repository = repositories.withId(repositoryId);
        const name = repository === undefined ? '' : `${repository.owner}/${repository.name}`;
        return { id, repository: name, status: state.status, url, updated_at: isoSecond(updatedAt) };
      }),
    );
  });
  router.get('/import-maintenance', (ctx) => sendJson(ctx, { on: switches.isOn('maintenance') }));
  router.put('/import-maintenance', async (ctx) => {
    const on = (await bodyParameters(ctx, 'Maintenance')).boolean('on') ?? true;
    await switches.turn('maintenance', on);
    sendJson(ctx, { on });
  });
}

const shown = ({ id, owner, name, private: isPrivate, workflows, maintainers }: RepositoryRecord) => ({
  id,
  repository: `${owner}/${name}`,
  private: isPrivate,
  workflows,
  maintainers,
});
