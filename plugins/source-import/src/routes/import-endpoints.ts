import { inject, injectable, Lifetime } from '@gantry/core/driver';
import type { Context } from '@gantry/core/http';
import { HostedApi, type HostedRouter } from '@gantry/hosted-api/service';
import { ImportSettings } from '../settings/import-settings.js';
import { removedEndpoints } from './removed-endpoints.js';

/** Serves the endpoints of imports, which answer 410 unless the configuration enables them. */
@injectable()
export class ImportEndpoints {
  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(ImportSettings) private readonly settings: ImportSettings,
  ) {}

  serve(declare: (router: HostedRouter) => void): void {
    const precondition = removedEndpoints(() => this.settings.config.enabled);
    this.lifetime.add(this.api.routes('source-import', { scopes: ['repo'], precondition }, declare));
  }

  baseUrl<P>(ctx: Context<P>): string {
    return this.api.baseUrl(ctx);
  }
}
