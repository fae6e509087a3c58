import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { sendJson } from '@gantry/core/http';
import { bodyParameters, HostedApi, type HostedRouter } from '@gantry/hosted-api/service';
import { Repositories } from '../store/repositories.js';
import { Watches } from '../store/watches.js';
import { repositoryUrl } from '../wire/repository-json.js';
import { RepositoryTexts } from '../wire/repository-texts.js';
import { watchJson } from '../wire/subscription-json.js';
import { InboxAccess } from './inbox-access.js';

const path = '/repos/:owner/:repo/subscription';

/** Watching repositories. The specification has the reason `subscribed` for it, but no endpoints. */
@injectable()
export class WatchRoutes {
  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(InboxAccess) private readonly access: InboxAccess,
    @inject(Watches) private readonly watches: Watches,
    @inject(Repositories) private readonly repositories: Repositories,
    @inject(RepositoryTexts) private readonly texts: RepositoryTexts,
  ) {}

  async start(): Promise<void> {
    const access = { scopes: ['notifications', 'repo'] } as const;
    this.lifetime.add(this.api.routes('notifications', access, (router) => this.declare(router)));
  }

  declare(router: HostedRouter): void {
    router.get(path, (ctx, caller) => {
      const repository = this.access.repository(caller, ctx.params);
      const watch = this.watches.get(caller.account.id, repository.id);
      if (watch === undefined) throw notFound('not watched');
      sendJson(ctx, watchJson(watch, repositoryUrl(repository, this.api.baseUrl(ctx))));
    });
    router.put(path, async (ctx, caller) => {
      const repository = this.access.repository(caller, ctx.params);
      const ignored = (await bodyParameters(ctx, 'Subscription')).boolean('ignored') ?? false;
      const watch = await this.watches.set(caller.account.id, repository.id, ignored ? 'ignoring' : 'watching');
      sendJson(ctx, watchJson(watch, repositoryUrl(repository, this.api.baseUrl(ctx))));
    });
    router.delete(path, async (ctx, caller) => {
      await this.watches.delete(caller.account.id, this.access.repository(caller, ctx.params).id);
      ctx.status = 204;
    });
    router.get('/user/subscriptions', (ctx, { account }) => {
      const baseUrl = this.api.baseUrl(ctx);
      const watched = this.watches
        .repositoriesOf(account)
        .map((id) => this.repositories.withId(id))
        .filter((repository) => repository !== undefined)
        .filter((repository) => this.repositories.mayRead(account, repository));
      sendJson(ctx, `[${watched.map((repository) => this.texts.of(repository, baseUrl)).join(',')}]\n`);
    });
  }
}
