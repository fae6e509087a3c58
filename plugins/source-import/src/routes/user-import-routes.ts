import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Context, sendJson } from '@gantry/core/http';
import { type Account, entityTag, HostedApi, type HostedRouter, isUnchanged } from '@gantry/hosted-api/service';
import { ImportStore } from '../store/import-store.js';
import { Repositories } from '../store/repositories.js';
import { ImportView } from './import-view.js';

/** A user's imports. */
@injectable()
export class UserImportRoutes {
  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Repositories) private readonly repositories: Repositories,
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(ImportView) private readonly view: ImportView,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('source-import', { scopes: ['repo'] }, (router) => this.declare(router)));
  }

  declare(router: HostedRouter): void {
    router.get('/user/imports', (ctx, { account }) => this.#list(ctx, account));
  }

  #list<P>(ctx: Context<P>, account: Account): void {
    const imports = this.store.list().flatMap((record) => {
      const repository = this.repositories.withId(record.repositoryId);
      if (repository === undefined || !this.repositories.mayManage(account, repository)) return [];
      const shown = this.view.show(ctx, repository, record);
      return [{ full_name: `${repository.owner}/${repository.name}`, ...shown }];
    });
    const list = imports.reverse().slice(0, 100);
    if (isUnchanged(ctx, { etag: entityTag([JSON.stringify(list)]) })) ctx.status = 304;
    else sendJson(ctx, list);
  }
}
