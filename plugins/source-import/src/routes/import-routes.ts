import { type SourceDriver, SourceDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Lifetime } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { type Context, sendJson } from '@gantry/core/http';
import {
  type Account,
  bodyParameters,
  HostedApi,
  type HostedRouter,
  validationFailed,
} from '@gantry/hosted-api/service';
import { CancelImport } from '../imports/cancel-import.js';
import { RestartImport } from '../imports/restart-import.js';
import { StartImport } from '../imports/start-import.js';
import { ImportSettings } from '../settings/import-settings.js';
import { HostedRepositories } from '../storage/hosted-repositories.js';
import { ImportStore } from '../store/import-store.js';
import type { RepositoryRecord } from '../store/records.js';
import { ImportAccess } from './import-access.js';
import { readStart, readUpdate } from './import-request.js';
import { removedEndpoints } from './removed-endpoints.js';
import type { RepositoryParams } from './repository-access.js';

const path = '/repos/:owner/:repo/import';
const resource = 'Import';

/** Spec: Source import. */
@injectable()
export class ImportRoutes {
  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(ImportAccess) private readonly access: ImportAccess,
    @inject(StartImport) private readonly startImport: StartImport,
    @inject(RestartImport) private readonly restartImport: RestartImport,
    @inject(CancelImport) private readonly cancelImport: CancelImport,
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(HostedRepositories) private readonly hosted: HostedRepositories,
    @inject(ImportSettings) private readonly settings: ImportSettings,
    @inject(SourceDrivers.token) private readonly drivers: DriverSet<SourceDriver>,
  ) {}

  async start(): Promise<void> {
    const precondition = removedEndpoints(() => this.settings.config.enabled);
    const access = { scopes: ['repo'], precondition } as const;
    this.lifetime.add(this.api.routes('source-import', access, (router) => this.declare(router)));
  }

  declare(router: HostedRouter): void {
    router.get(path, (ctx, { account }) => {
      const { repository, record } = this.access.find(ctx, account);
      sendJson(ctx, this.access.show(ctx, repository, record));
    });
    router.put(path, (ctx, { account }) => this.#start(ctx, account));
    router.patch(path, async (ctx, { account }) => {
      const { repository, record } = this.access.find(ctx, account);
      const update = readUpdate(await bodyParameters(ctx, resource), record, this.drivers.ids);
      const changed = await this.restartImport.restart(record, update);
      if (changed === undefined) throw notFound('no import');
      sendJson(ctx, this.access.show(ctx, repository, changed));
    });
    router.delete(path, async (ctx, { account }) => {
      await this.cancelImport.cancel(this.access.find(ctx, account).record);
      ctx.status = 204;
    });
  }

  async #start<P extends RepositoryParams>(ctx: Context<P>, account: Account): Promise<void> {
    const repository = this.access.target(ctx, account);
    const request = readStart(await bodyParameters(ctx, resource), this.drivers, this.settings.current);
    await this.#refuseWorkflows(repository);
    const baseUrl = this.api.baseUrl(ctx);
    const record = await this.startImport.start(repository, { ...request, startedBy: account.id, baseUrl });
    ctx.res.setHeader('Location', `${baseUrl}/repos/${repository.owner}/${repository.name}/import`);
    sendJson(ctx, this.access.show(ctx, repository, this.store.withId(record.id) ?? record), 201);
  }

  async #refuseWorkflows({ id, owner, name, workflows }: RepositoryRecord): Promise<void> {
    if (!workflows && !(await this.hosted.hasWorkflows(id))) return;
    const message = `${owner}/${name} has workflows enabled: nothing is imported into it`;
    throw validationFailed({ resource: 'Repository', field: 'workflows', code: 'unprocessable', message });
  }
}
