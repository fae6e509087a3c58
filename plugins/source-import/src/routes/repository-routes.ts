import { sendJson } from '@gantry/core/http';
import {
  bodyParameters,
  entityTag,
  type HostedRouter,
  isUnchanged,
  linkPages,
  readPage,
} from '@gantry/hosted-api/service';
import { repositoryJson } from '../wire/repository-json.js';
import { managedRepository, type RouteParts, readableRepository, shownImport } from './route-parts.js';

/** The repositories that imports go into. */
export function repositoryRoutes(router: HostedRouter, parts: RouteParts): void {
  const { api, imports, repositories, store } = parts;
  router.post('/user/repos', async (ctx, { account }) => {
    const body = await bodyParameters(ctx, 'Repository');
    const name = body.string('name');
    if (name === undefined) throw body.missing('name');
    const isPrivate = body.boolean('private');
    const description = body.string('description');
    const made = await repositories.create({
      ...{ owner: account.login, name },
      ...(isPrivate !== undefined && { private: isPrivate }),
      ...(description !== undefined && { description: description.slice(0, 1000) }),
    });
    sendJson(ctx, repositoryJson(made, api.baseUrl(ctx)), 201);
  });
  router.get('/user/repos', (ctx, { account }) => {
    const page = readPage(ctx, 'Repository', { fallback: 30, max: 100 });
    const own = repositories.list().filter((repository) => repositories.mayManage(account, repository));
    const baseUrl = api.baseUrl(ctx);
    linkPages(ctx, `${baseUrl}/user/repos`, page, own.length);
    const shown = own.slice((page.number - 1) * page.size, page.number * page.size);
    sendJson(
      ctx,
      shown.map((repository) => repositoryJson(repository, baseUrl)),
    );
  });
  router.get('/repos/:owner/:repo', (ctx, { account }) => {
    sendJson(ctx, repositoryJson(readableRepository(ctx, parts, account), api.baseUrl(ctx)));
  });
  router.delete('/repos/:owner/:repo', async (ctx, { account }) => {
    await imports.removeRepository(managedRepository(ctx, parts, account));
    ctx.status = 204;
  });
  router.get('/user/imports', (ctx, { account }) => {
    const shown = store.list().flatMap((record) => {
      const repository = repositories.withId(record.repositoryId);
      if (repository === undefined || !repositories.mayManage(account, repository)) return [];
      return [{ full_name: `${repository.owner}/${repository.name}`, ...shownImport(ctx, parts, repository, record) }];
    });
    const list = shown.reverse().slice(0, 100);
    if (isUnchanged(ctx, { etag: entityTag([JSON.stringify(list)]) })) ctx.status = 304;
    else sendJson(ctx, list);
  });
}
