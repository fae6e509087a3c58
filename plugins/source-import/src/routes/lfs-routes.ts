import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { notFound } from '@gantry/core/errors';
import { openBody, rawBody, sendJson } from '@gantry/core/http';
import { isLfsOid, lfsObjectPath } from '@gantry/git-hosting';
import { HostedError, type HostedRouter, parseObject } from '@gantry/hosted-api/service';
import { type RouteParts, readableRepository } from './route-parts.js';

type LfsParts = Pick<RouteParts, 'api' | 'directories' | 'repositories'>;

const path = '/:owner/:repo/info/lfs/objects';

const lfsType = 'application/vnd.git-lfs+json';

/** Large files that were moved out of the history: git-lfs asks for them here. */
export function lfsRoutes(router: HostedRouter, parts: LfsParts): void {
  router.post(`${path}/batch`, async (ctx, { account }) => {
    const { id, owner, name } = readableRepository(ctx, parts, account);
    const { operation, objects } = parseObject(await rawBody(ctx));
    if (operation !== 'download') throw new HostedError(403, 'Large files of this service come from imports only');
    const wanted = Array.isArray(objects) ? objects.slice(0, 1000) : [];
    const href = `${parts.api.baseUrl(ctx)}/${owner}/${name}.git/info/lfs/objects`;
    const header = { Authorization: String(ctx.req.headers.authorization) };
    const directory = parts.directories.repository(id);
    const answers = wanted.map(async ({ oid, size }: { oid?: unknown; size?: unknown }) => {
      const facts = typeof oid === 'string' && isLfsOid(oid) && (await sizeOf(lfsObjectPath(directory, oid)));
      if (typeof facts !== 'number') return { oid, size, error: { code: 404, message: 'there is no such object' } };
      return { oid, size: facts, authenticated: true, actions: { download: { href: `${href}/${oid}`, header } } };
    });
    sendJson(ctx, { transfer: 'basic', objects: await Promise.all(answers) });
    ctx.res.setHeader('Content-Type', lfsType);
  });
  router.get(`${path}/:oid`, async (ctx, { account }) => {
    const { id } = readableRepository(ctx, parts, account);
    const { oid } = ctx.params;
    const file = lfsObjectPath(parts.directories.repository(id), oid);
    const size = isLfsOid(oid) ? await sizeOf(file) : undefined;
    if (size === undefined) throw notFound('no such object');
    ctx.res.setHeader('Content-Length', size);
    await pipeline(createReadStream(file), openBody(ctx, { contentType: 'application/octet-stream' }), {
      signal: ctx.state.signal,
      end: false,
    });
  });
}

const sizeOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
