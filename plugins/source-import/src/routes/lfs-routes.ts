import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { openBody, rawBody, sendJson } from '@gantry/core/http';
import { HostedApi, HostedError, type HostedRouter, parseObject } from '@gantry/hosted-api/service';
import { isLfsOid, lfsObjectPath } from '@gantry/lib-git-hosting';
import { HostedRepositories } from '../storage/hosted-repositories.js';
import { RepositoryAccess } from './repository-access.js';

const path = '/:owner/:repo/info/lfs/objects';
const lfsType = 'application/vnd.git-lfs+json';

/** Downloads of large files by git-lfs. */
@injectable()
export class LfsRoutes {
  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(RepositoryAccess) private readonly access: RepositoryAccess,
    @inject(HostedRepositories) private readonly hosted: HostedRepositories,
  ) {}

  async start(): Promise<void> {
    const access = { scopes: ['repo'], basic: true } as const;
    this.lifetime.add(this.api.routes('source-import', access, (router) => this.declare(router)));
  }

  declare(router: HostedRouter): void {
    router.post(`${path}/batch`, async (ctx, { account }) => {
      const { id, owner, name } = this.access.readable(ctx, account);
      const { operation, objects } = parseObject(await rawBody(ctx));
      if (operation !== 'download') throw new HostedError(403, 'Large files of this service come from imports only');
      const wanted = Array.isArray(objects) ? objects.slice(0, 1000) : [];
      const href = `${this.api.baseUrl(ctx)}/${owner}/${name}.git/info/lfs/objects`;
      const header = { Authorization: String(ctx.req.headers.authorization) };
      const directory = this.hosted.pathOf(id);
      const answers = wanted.map(async ({ oid, size }: { oid?: unknown; size?: unknown }) => {
        const stored = typeof oid === 'string' && isLfsOid(oid) && (await sizeOf(lfsObjectPath(directory, oid)));
        if (typeof stored !== 'number') return { oid, size, error: { code: 404, message: 'there is no such object' } };
        return { oid, size: stored, authenticated: true, actions: { download: { href: `${href}/${oid}`, header } } };
      });
      sendJson(ctx, { transfer: 'basic', objects: await Promise.all(answers) });
      ctx.res.setHeader('Content-Type', lfsType);
    });
    router.get(`${path}/:oid`, async (ctx, { account }) => {
      const { id } = this.access.readable(ctx, account);
      const { oid } = ctx.params;
      const file = lfsObjectPath(this.hosted.pathOf(id), oid);
      const size = isLfsOid(oid) ? await sizeOf(file) : undefined;
      if (size === undefined) throw notFound('no such object');
      ctx.res.setHeader('Content-Length', size);
      const body = openBody(ctx, { contentType: 'application/octet-stream' });
      await pipeline(createReadStream(file), body, { signal: ctx.state.signal, end: false });
    });
  }
}

const sizeOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
