import { inject, injectable } from '@gantry/core/driver';
import type { Context, Router } from '@gantry/core/http';
import { BaseUrl } from './base-url.js';
import { type Access, Gate } from './gate.js';
import { guard, type HostedRouter } from './hosted-router.js';
import { PollInterval } from './poll-interval.js';
import type { HostedApi } from './service.js';
import { HostedSurface, OperatorSurface } from './surfaces.js';
import { webFileRoutes } from './web-files.js';
import { type WebLink, type WebPage, WebPages } from './web-pages.js';

/** The hosted API as other packages use it. */
@injectable()
export class HostedApiService implements HostedApi {
  constructor(
    @inject(HostedSurface) private readonly surface: HostedSurface,
    @inject(OperatorSurface) private readonly operator: OperatorSurface,
    @inject(Gate) private readonly gate: Gate,
    @inject(BaseUrl) private readonly urls: BaseUrl,
    @inject(PollInterval) private readonly polling: PollInterval,
    @inject(WebPages) private readonly webPages: WebPages,
  ) {}

  routes(owner: string, access: Access, declare: (router: HostedRouter) => void): () => void {
    return this.surface.routes(owner, (router) => declare(guard(router, this.gate, access)));
  }

  openRoutes(owner: string, declare: (router: Router) => void): () => void {
    return this.surface.routes(owner, declare);
  }

  operatorRoutes(owner: string, declare: (router: Router) => void): () => void {
    return this.operator.routes(owner, declare);
  }

  addPage(owner: string, page: WebPage): () => void {
    const removeFiles = this.surface.routes(owner, (router) => webFileRoutes(router, page.files));
    const removePage = this.webPages.add(page);
    return () => {
      removePage();
      removeFiles();
    };
  }

  addLink(link: WebLink): () => void {
    return this.webPages.addLink(link);
  }

  get pages(): readonly Pick<WebPage, 'title' | 'path'>[] {
    return this.webPages.list();
  }

  baseUrl<P>(ctx: Context<P>): string {
    return this.urls.of(ctx);
  }

  pollInterval(): number {
    return this.polling.seconds();
  }
}
