import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { forbidden, notFound } from '@gantry/core/errors';
import { bodyStream, type Context, openBody, rawBody, sendJson } from '@gantry/core/http';
import { advertiseRefs, createRepository, isLfsOid, lfsObjectPath, uploadPack } from '@gantry/git-hosting';
import { HostedError, type HostedRouter, parseObject } from '@gantry/hosted-api/service';
import { type RouteParts, readableRepository } from './route-parts.js';

type GitParts = Pick<RouteParts, 'api' | 'directories' | 'repositories'>;

const path = '/:owner/:repo';

/** What git asks to clone and fetch: the smart protocol, read only. */
export function gitRoutes(router: HostedRouter, parts: GitParts): void {
  const directoryOf = async (
    ctx: Context<{ owner: string; repo: string }>,
    account: Parameters<typeof readableRepository>[2],
  ) => {
    const { id } = readableRepository(ctx, parts, account);
    const directory = parts.directories.repository(id);
    await createRepository(directory);
    return directory;
  };
  router.get(`${path}/info/refs`, async (ctx, { account }) => {
    const directory = await directoryOf(ctx, account);
    const service = new URLSearchParams(ctx.querystring).get('service');
    if (service === 'git-receive-pack')
      throw forbidden('repositories of this service are filled by imports, not by pushes');
    if (service !== 'git-upload-pack') throw forbidden('only the smart protocol is served: use a newer git');
    const body = await advertiseRefs(directory, { protocol: protocolOf(ctx), signal: ctx.state.signal });
    ctx.res.setHeader('Cache-Control', 'no-cache');
    ctx.res.setHeader('Content-Type', 'application/x-git-upload-pack-advertisement');
    ctx.body = body;
  });
  router.post(`${path}/git-upload-pack`, async (ctx, { account }) => {
    const directory = await directoryOf(ctx, account);
    const sent = bodyStream(ctx);
    const request = ctx.req.headers['content-encoding'] === 'gzip' ? sent.pipe(createGunzip()) : sent;
    ctx.res.setHeader('Cache-Control', 'no-cache');
    const response = () => openBody(ctx, { contentType: 'application/x-git-upload-pack-result' });
    await uploadPack(directory, request, response, { protocol: protocolOf(ctx), signal: ctx.state.signal });
  });
}

const protocolOf = <P>(ctx: Context<P>): string | undefined => {
  const value = ctx.req.headers['git-protocol'];
  return typeof value === 'string' ? value : undefined;
};

const lfsType = 'application/vnd.git-lfs+json';

/** Large files that were moved out of the history: git-lfs asks for them here. */
export function lfsRoutes(router: HostedRouter, parts: GitParts): void {
  router.post(`${path}/info/lfs/objects/batch`, async (ctx, { account }) => {
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
  router.get(`${path}/info/lfs/objects/:oid`, async (ctx, { account }) => {
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
