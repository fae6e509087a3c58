import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { forbidden } from '@gantry/core/errors';
import { bodyStream, type Context, openBody } from '@gantry/core/http';
import { type Account, HostedApi, HostedError, type HostedRouter } from '@gantry/hosted-api/service';
import { GitHosting } from '@gantry/lib-git-hosting';
import { ImportSettings } from '../settings/import-settings.js';
import { HostedRepositories } from '../storage/hosted-repositories.js';
import { RepositoryAccess, type RepositoryParams } from './repository-access.js';

const path = '/:owner/:repo';

/** Clones and fetches by git's smart protocol, read-only. */
@injectable()
export class GitRoutes {
  #readers = 0;

  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(RepositoryAccess) private readonly access: RepositoryAccess,
    @inject(HostedRepositories) private readonly hosted: HostedRepositories,
    @inject(GitHosting.token) private readonly git: GitHosting,
    @inject(ImportSettings) private readonly settings: ImportSettings,
  ) {}

  async start(): Promise<void> {
    const access = { scopes: ['repo'], basic: true } as const;
    this.lifetime.add(this.api.routes('source-import', access, (router) => this.declare(router)));
  }

  declare(router: HostedRouter): void {
    router.get(`${path}/info/refs`, (ctx, { account }) =>
      this.#read(ctx, account, async (directory) => {
        const service = new URLSearchParams(ctx.querystring).get('service');
        if (service === 'git-receive-pack') throw forbidden('repositories are filled by imports here, not by pushes');
        if (service !== 'git-upload-pack') throw forbidden('only the smart protocol is served: use a newer git');
        const options = { protocol: protocolOf(ctx), signal: ctx.state.signal };
        const body = await this.git.advertiseRefs(directory, options);
        ctx.res.setHeader('Content-Type', 'application/x-git-upload-pack-advertisement');
        ctx.body = body;
      }),
    );
    router.post(`${path}/git-upload-pack`, (ctx, { account }) =>
      this.#read(ctx, account, async (directory) => {
        const response = () => openBody(ctx, { contentType: 'application/x-git-upload-pack-result' });
        const options = { protocol: protocolOf(ctx), signal: ctx.state.signal };
        await this.git.uploadPack(directory, requestOf(ctx), response, options);
      }),
    );
  }

  /** Every reader is a process of git. @throws HostedError 503 beyond the limit. */
  async #read<P extends RepositoryParams>(
    ctx: Context<P>,
    account: Account,
    serve: (directory: string) => Promise<void>,
  ): Promise<void> {
    const { id } = this.access.readable(ctx, account);
    if (this.#readers >= this.settings.config.maxReaders) {
      ctx.res.setHeader('Retry-After', 10);
      throw new HostedError(503, 'Too many clones and fetches at a time: try again later');
    }
    ctx.res.setHeader('Cache-Control', 'no-cache');
    this.#readers += 1;
    try {
      await serve(await this.hosted.ensure(id));
    } finally {
      this.#readers -= 1;
    }
  }
}

const protocolOf = <P>(ctx: Context<P>): string | undefined => {
  const value = ctx.req.headers['git-protocol'];
  return typeof value === 'string' ? value : undefined;
};

/** git compresses large requests. */
function requestOf<P>(ctx: Context<P>) {
  const sent = bodyStream(ctx);
  if (ctx.req.headers['content-encoding'] !== 'gzip') return sent;
  const unpacked = createGunzip();
  // Errors reach the reader of the stream.
  pipeline(sent, unpacked).catch((error: unknown) => unpacked.destroy(error as Error));
  return unpacked;
}
