import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { forbidden } from '@gantry/core/errors';
import { bodyStream, type Context, openBody } from '@gantry/core/http';
import { advertiseRefs, uploadPack } from '@gantry/git-hosting';
import { type Account, HostedError, type HostedRouter } from '@gantry/hosted-api/service';
import { type RouteParts, readableRepository } from './route-parts.js';

type GitParts = Pick<RouteParts, 'config' | 'directories' | 'repositories'>;

const path = '/:owner/:repo';

/** What git asks to clone and fetch: the smart protocol, read only. */
export function gitRoutes(router: HostedRouter, parts: GitParts): void {
  let readers = 0;
  /** Every reader is a process of git, and packing is work. @throws HostedError 503 when there are too many. */
  const read = async <P extends { readonly owner: string; readonly repo: string }>(
    ctx: Context<P>,
    account: Account,
    serve: (directory: string) => Promise<void>,
  ): Promise<void> => {
    const { id } = readableRepository(ctx, parts, account);
    if (readers >= parts.config().maxReaders) {
      ctx.res.setHeader('Retry-After', 10);
      throw new HostedError(503, 'Too many clones and fetches at a time: try again later');
    }
    ctx.res.setHeader('Cache-Control', 'no-cache');
    readers += 1;
    try {
      await serve(await parts.directories.madeRepository(id));
    } finally {
      readers -= 1;
    }
  };
  router.get(`${path}/info/refs`, (ctx, { account }) =>
    read(ctx, account, async (directory) => {
      const service = new URLSearchParams(ctx.querystring).get('service');
      if (service === 'git-receive-pack') throw forbidden('repositories are filled by imports here, not by pushes');
      if (service !== 'git-upload-pack') throw forbidden('only the smart protocol is served: use a newer git');
      const body = await advertiseRefs(directory, { protocol: protocolOf(ctx), signal: ctx.state.signal });
      ctx.res.setHeader('Content-Type', 'application/x-git-upload-pack-advertisement');
      ctx.body = body;
    }),
  );
  router.post(`${path}/git-upload-pack`, (ctx, { account }) =>
    read(ctx, account, async (directory) => {
      const response = () => openBody(ctx, { contentType: 'application/x-git-upload-pack-result' });
      await uploadPack(directory, requestOf(ctx), response, { protocol: protocolOf(ctx), signal: ctx.state.signal });
    }),
  );
}

const protocolOf = <P>(ctx: Context<P>): string | undefined => {
  const value = ctx.req.headers['git-protocol'];
  return typeof value === 'string' ? value : undefined;
};

/** Git compresses what it sends when it has much to say of what it has. */
function requestOf<P>(ctx: Context<P>) {
  const sent = bodyStream(ctx);
  if (ctx.req.headers['content-encoding'] !== 'gzip') return sent;
  const unpacked = createGunzip();
  // What goes wrong reaches whoever reads it.
  pipeline(sent, unpacked).catch((error: unknown) => unpacked.destroy(error as Error));
  return unpacked;
}
