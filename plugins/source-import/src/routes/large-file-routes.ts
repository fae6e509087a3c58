import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { sendJson } from '@gantry/core/http';
import { bodyParameters, type HostedRouter } from '@gantry/hosted-api/service';
import { ChooseLfs } from '../imports/choose-lfs.js';
import { ImportStore } from '../store/import-store.js';
import { largeFileJson } from '../wire/import-json.js';
import { ImportAccess } from './import-access.js';
import { ImportEndpoints } from './import-endpoints.js';
import { ImportView } from './import-view.js';

const path = '/repos/:owner/:repo/import';

/** Spec: large files of an import. */
@injectable()
export class LargeFileRoutes {
  constructor(
    @inject(ImportEndpoints) private readonly endpoints: ImportEndpoints,
    @inject(ImportAccess) private readonly access: ImportAccess,
    @inject(ImportView) private readonly view: ImportView,
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(ChooseLfs) private readonly chooseLfs: ChooseLfs,
  ) {}

  async start(): Promise<void> {
    this.endpoints.serve((router) => this.declare(router));
  }

  declare(router: HostedRouter): void {
    router.get(`${path}/large_files`, (ctx, { account }) => {
      const { record } = this.access.find(ctx, account);
      sendJson(ctx, this.store.largeFiles(record.id).map(largeFileJson));
    });
    router.patch(`${path}/lfs`, async (ctx, { account }) => {
      const { repository, record } = this.access.find(ctx, account);
      const body = (await bodyParameters(ctx, 'Import')).only('use_lfs');
      const useLfs = body.string('use_lfs');
      if (useLfs === undefined) throw body.missing('use_lfs');
      if (useLfs !== 'opt_in' && useLfs !== 'opt_out') throw body.invalid('use_lfs', 'opt_in or opt_out');
      const changed = await this.chooseLfs.choose(record, useLfs);
      if (changed === undefined) throw notFound('no import');
      sendJson(ctx, this.view.show(ctx, repository, changed));
    });
  }
}
