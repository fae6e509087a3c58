import { type SourceDriver, SourceDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { sendJson } from '@gantry/core/http';
import { bodyParameters, type HostedRouter } from '@gantry/hosted-api/service';
import { CancelImport } from '../imports/cancel-import.js';
import { RestartImport } from '../imports/restart-import.js';
import { ImportAccess } from './import-access.js';
import { ImportEndpoints } from './import-endpoints.js';
import { readUpdate } from './import-request.js';
import { ImportView } from './import-view.js';

const path = '/repos/:owner/:repo/import';

/** Spec: Source import, of an import that was started. */
@injectable()
export class ImportRoutes {
  constructor(
    @inject(ImportEndpoints) private readonly endpoints: ImportEndpoints,
    @inject(ImportAccess) private readonly access: ImportAccess,
    @inject(ImportView) private readonly view: ImportView,
    @inject(RestartImport) private readonly restartImport: RestartImport,
    @inject(CancelImport) private readonly cancelImport: CancelImport,
    @inject(SourceDrivers.token) private readonly drivers: DriverSet<SourceDriver>,
  ) {}

  async start(): Promise<void> {
    this.endpoints.serve((router) => this.declare(router));
  }

  declare(router: HostedRouter): void {
    router.get(path, (ctx, { account }) => {
      const { repository, record } = this.access.find(ctx, account);
      sendJson(ctx, this.view.show(ctx, repository, record));
    });
    router.patch(path, async (ctx, { account }) => {
      const { repository, record } = this.access.find(ctx, account);
      const update = readUpdate(await bodyParameters(ctx, 'Import'), record, this.drivers.ids);
      const changed = await this.restartImport.restart(record, update);
      if (changed === undefined) throw notFound('no import');
      sendJson(ctx, this.view.show(ctx, repository, changed));
    });
    router.delete(path, async (ctx, { account }) => {
      await this.cancelImport.cancel(this.access.find(ctx, account).record);
      ctx.status = 204;
    });
  }
}
