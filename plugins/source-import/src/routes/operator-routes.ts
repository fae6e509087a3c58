import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { type Router, sendJson } from '@gantry/core/http';
import { bodyParameters, HostedApi, isoSecond } from '@gantry/hosted-api/service';
import { ImportStore } from '../store/import-store.js';
import type { ImportRecord, RepositoryRecord } from '../store/records.js';
import { Repositories } from '../store/repositories.js';
import { Switches } from '../store/switches.js';

/** The API of `gantry-import`, on the operator's socket. */
@injectable()
export class OperatorRoutes {
  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Repositories) private readonly repositories: Repositories,
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(Switches) private readonly switches: Switches,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.operatorRoutes('source-import', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get('/import-repositories', (ctx) => sendJson(ctx, this.repositories.list().map(toRepositoryRow)));
    router.post('/import-repositories', async (ctx) => {
      const body = await bodyParameters(ctx, 'Repository');
      const [owner, name] = [body.string('owner'), body.string('name')];
      if (owner === undefined) throw body.missing('owner');
      if (name === undefined) throw body.missing('name');
      const logins = body.string('maintainers')?.split(',');
      const maintainers = logins?.map((login) => login.trim());
      const created = await this.repositories.create({
        ...{ owner, name, private: body.boolean('private') ?? true },
        ...(maintainers !== undefined && { maintainers }),
      });
      sendJson(ctx, toRepositoryRow(created), 201);
    });
    router.patch('/import-repositories/:owner/:repo', async (ctx) => {
      const repository = this.repositories.find(ctx.params.owner, ctx.params.repo);
      if (repository === undefined) throw notFound('no such repository');
      const body = (await bodyParameters(ctx, 'Repository')).only('workflows');
      await this.repositories.change(repository.id, { workflows: body.boolean('workflows') ?? repository.workflows });
      sendJson(ctx, toRepositoryRow(this.repositories.withId(repository.id) ?? repository));
    });
    router.get('/imports', (ctx) => {
      const rows = this.store.list().map((record) => this.#toImportRow(record));
      sendJson(ctx, rows);
    });
    router.get('/import-maintenance', (ctx) => sendJson(ctx, { on: this.switches.isOn('maintenance') }));
    router.put('/import-maintenance', async (ctx) => {
      const on = (await bodyParameters(ctx, 'Maintenance')).boolean('on') ?? true;
      await this.switches.turn('maintenance', on);
      sendJson(ctx, { on });
    });
  }

  #toImportRow({ id, repositoryId, url, state, updatedAt }: ImportRecord) {
    const repository = this.repositories.withId(repositoryId);
    const name = repository === undefined ? '' : `${repository.owner}/${repository.name}`;
    return { id, repository: name, status: state.status, url, updated_at: isoSecond(updatedAt) };
  }
}

const toRepositoryRow = ({ id, owner, name, private: isPrivate, workflows, maintainers }: RepositoryRecord) => ({
  id,
  repository: `${owner}/${name}`,
  private: isPrivate,
  workflows,
  maintainers,
});
