import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { type Context, type Router, sendJson } from '@gantry/core/http';
import { HostedApiService } from './hosted-api-service.js';
import { webFileRoutes } from './web-files.js';
import { readSharedFiles, WebPages } from './web-pages.js';

/** `GET /pages` and, for users, `GET /pages/links` for the navigation, `/` which redirects to the first page, and the files that all pages share. */
@injectable()
export class PageRoutes {
  constructor(
    @inject(HostedApiService) private readonly api: HostedApiService,
    @inject(WebPages) private readonly pages: WebPages,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    const files = await readSharedFiles();
    this.lifetime.add(
      this.api.openRoutes('hosted-api', (router) => {
        this.declare(router);
        webFileRoutes(router, files);
      }),
    );
    const access = { scopes: [], counts: false };
    this.lifetime.add(
      this.api.routes('hosted-api-links', access, (router) => {
        router.get('/pages/links', (ctx) => sendJson(ctx, this.pages.links()));
      }),
    );
  }

  declare(router: Router): void {
    router.get('/pages', (ctx) => this.#list(ctx));
    router.get('/', (ctx) => this.#redirect(ctx));
  }

  #list(ctx: Context): void {
    const pages = this.pages.list().map(({ title, path }) => ({ title, path }));
    sendJson(ctx, pages);
  }

  #redirect(ctx: Context): void {
    const [first] = this.pages.list();
    if (first === undefined) throw notFound('there is no page');
    ctx.redirect(first.path);
    ctx.body = '';
  }
}
