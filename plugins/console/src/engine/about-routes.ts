import { version } from '@gantry/core';
import { inject, injectable, Lifetime, PackageStatuses } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { type Router, sendJson } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { HostedApi, HostedListeners } from '@gantry/hosted-api/service';
import { ConsoleSurface } from '../surface.js';

/** What the API does not say of the daemon: its packages, where it listens, and the pages of its other API. */
@injectable()
export class AboutRoutes {
  constructor(
    @inject(ConsoleSurface) private readonly surface: ConsoleSurface,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(PackageStatuses) private readonly packages: PackageStatuses,
    @inject(HostedApi.token) private readonly hosted: HostedApi | undefined,
    @inject(HostedListeners.token) private readonly listeners: HostedListeners | undefined,
  ) {}

  start(): void {
    this.lifetime.add(this.surface.routes('console-about', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get('/about', (ctx) => {
      const { addresses, apiVersion, warnings } = this.api;
      sendJson(ctx, { version, apiVersion, addresses, warnings, units: this.packages.list() });
    });

    router.get('/hosted', (ctx) => {
      const { hosted, listeners } = this;
      const address = listeners?.addresses.find((each) => !each.startsWith('/'));
      if (hosted === undefined || address === undefined) throw notFound('this daemon has no other API with pages');
      sendJson(ctx, { url: `http://${address}`, pages: hosted.pages.map(({ title, path }) => ({ title, path })) });
    });
  }
}
