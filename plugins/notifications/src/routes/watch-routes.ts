import { notFound } from '@gantry/core/errors';
import { sendJson } from '@gantry/core/http';
import { bodyParameters, type HostedRouter } from '@gantry/hosted-api/service';
import type { RepositoryTexts } from '../repository-json.js';
import { repositoryUrl } from '../repository-json.js';
import type { Watches } from '../store/watches.js';
import { watchJson } from '../wire.js';
import { type RouteParts, repositoryOf } from './inbox-request.js';

/** Watching repositories: not in the specification, which has the reason `subscribed` and no way to get it. */
export function watchRoutes(router: HostedRouter, parts: RouteParts, watches: Watches, texts: RepositoryTexts): void {
  const path = '/repos/:owner/:repo/subscription';
  router.get(path, (ctx, caller) => {
    const repository = repositoryOf(parts, caller, ctx.params);
    const watch = watches.get(caller.account.id, repository.id);
    if (watch === undefined) throw notFound('not watched');
    sendJson(ctx, watchJson(watch, repositoryUrl(repository, parts.api.baseUrl(ctx))));
  });
  router.put(path, async (ctx, caller) => {
    const repository = repositoryOf(parts, caller, ctx.params);
    const ignored = (await bodyParameters(ctx, 'Subscription')).boolean('ignored') ?? false;
    const watch = await watches.set(caller.account.id, repository.id, ignored ? 'ignoring' : 'watching');
    sendJson(ctx, watchJson(watch, repositoryUrl(repository, parts.api.baseUrl(ctx))));
  });
  router.delete(path, async (ctx, caller) => {
    await watches.remove(caller.account.id, repositoryOf(parts, caller, ctx.params).id);
    ctx.status = 204;
  });
  router.get('/user/subscriptions', (ctx, { account }) => {
    const baseUrl = parts.api.baseUrl(ctx);
    const watched = watches
      .repositoriesOf(account)
      .map((id) => parts.repositories.withId(id))
      .filter((repository) => repository !== undefined)
      .filter((repository) => parts.repositories.mayRead(account, repository));
    sendJson(ctx, `[${watched.map((repository) => texts.of(repository, baseUrl)).join(',')}]\n`);
  });
}
