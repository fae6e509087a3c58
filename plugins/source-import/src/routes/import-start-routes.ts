import { type SourceDriver, SourceDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { type Context, sendJson } from '@gantry/core/http';
import { type Account, bodyParameters, type HostedRouter } from '@gantry/hosted-api/service';
import { StartImport } from '../imports/start-import.js';
import { ImportSettings } from '../settings/import-settings.js';
import { ImportAccess } from './import-access.js';
import { ImportEndpoints } from './import-endpoints.js';
import { readStart } from './import-request.js';
import { ImportView } from './import-view.js';
import type { RepositoryParams } from './repository-access.js';

/** Spec: Source import, starting one. */
@injectable()
export class ImportStartRoutes {
  constructor(
    @inject(ImportEndpoints) private readonly endpoints: ImportEndpoints,
    @inject(ImportAccess) private readonly access: ImportAccess,
    @inject(ImportView) private readonly view: ImportView,
    @inject(StartImport) private readonly startImport: StartImport,
    @inject(ImportSettings) private readonly settings: ImportSettings,
    @inject(SourceDrivers.token) private readonly drivers: DriverSet<SourceDriver>,
  ) {}

  async start(): Promise<void> {
    this.endpoints.serve((router) => this.declare(router));
  }

  declare(router: HostedRouter): void {
    router.put('/repos/:owner/:repo/import', (ctx, { account }) => this.#start(ctx, account));
  }

  async #start<P extends RepositoryParams>(ctx: Context<P>, account: Account): Promise<void> {
    const repository = this.access.target(ctx, account);
    const request = readStart(await bodyParameters(ctx, 'Import'), this.drivers, this.settings.current);
    const baseUrl = this.endpoints.baseUrl(ctx);
    const record = await this.startImport.start(repository, { ...request, startedBy: account.id, baseUrl });
    ctx.res.setHeader('Location', `${baseUrl}/repos/${repository.owner}/${repository.name}/import`);
    sendJson(ctx, this.view.show(ctx, repository, record), 201);
  }
}
