import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Context, sendJson } from '@gantry/core/http';
import {
  type Account,
  bodyParameters,
  HostedApi,
  type HostedRouter,
  linkPages,
  readPage,
} from '@gantry/hosted-api/service';
import { DeleteRepository } from '../imports/delete-repository.js';
import { Repositories } from '../store/repositories.js';
import { repositoryJson } from '../wire/repository-json.js';
import { RepositoryAccess } from './repository-access.js';

/** The repositories to import into. */
@injectable()
export class RepositoryRoutes {
  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Repositories) private readonly repositories: Repositories,
    @inject(RepositoryAccess) private readonly access: RepositoryAccess,
    @inject(DeleteRepository) private readonly deleteRepository: DeleteRepository,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('source-import', { scopes: ['repo'] }, (router) => this.declare(router)));
  }

  declare(router: HostedRouter): void {
    router.post('/user/repos', (ctx, { account }) => this.#create(ctx, account));
    router.get('/user/repos', (ctx, { account }) => this.#list(ctx, account));
    router.get('/repos/:owner/:repo', (ctx, { account }) => {
      sendJson(ctx, repositoryJson(this.access.readable(ctx, account), this.api.baseUrl(ctx)));
    });
    router.delete('/repos/:owner/:repo', async (ctx, { account }) => {
      await this.deleteRepository.delete(this.access.managed(ctx, account));
      ctx.status = 204;
    });
  }

  async #create<P>(ctx: Context<P>, account: Account): Promise<void> {
    const body = await bodyParameters(ctx, 'Repository');
    const name = body.string('name');
    if (name === undefined) throw body.missing('name');
    const isPrivate = body.boolean('private');
    const description = body.string('description');
    const created = await this.repositories.create({
      ...{ owner: account.login, name },
      ...(isPrivate !== undefined && { private: isPrivate }),
      ...(description !== undefined && { description: description.slice(0, 1000) }),
    });
    sendJson(ctx, repositoryJson(created, this.api.baseUrl(ctx)), 201);
  }

  #list<P>(ctx: Context<P>, account: Account): void {
    const page = readPage(ctx, 'Repository', { fallback: 30, max: 100 });
    const managed = this.repositories.list().filter((repository) => this.repositories.mayManage(account, repository));
    const baseUrl = this.api.baseUrl(ctx);
    linkPages(ctx, `${baseUrl}/user/repos`, page, managed.length);
    const shown = managed.slice((page.number - 1) * page.size, page.number * page.size);
    sendJson(
      ctx,
      shown.map((repository) => repositoryJson(repository, baseUrl)),
    );
  }
}
