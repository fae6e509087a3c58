import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import type { Context } from '@gantry/core/http';
import { type Account, HostedApi, HostedError } from '@gantry/hosted-api/service';
import { ImportRunner } from '../imports/import-runner.js';
import { ImportSettings } from '../settings/import-settings.js';
import { ImportStore } from '../store/import-store.js';
import { ProgressBoard } from '../store/progress-board.js';
import type { ImportRecord, RepositoryRecord } from '../store/records.js';
import { Switches } from '../store/switches.js';
import { type ImportJson, importJson } from '../wire/import-json.js';
import { ProjectFields } from '../wire/project-fields.js';
import { RepositoryAccess, type RepositoryParams } from './repository-access.js';

/** Finds the import of a request, and shows imports to clients. */
@injectable()
export class ImportAccess {
  constructor(
    @inject(RepositoryAccess) private readonly repositories: RepositoryAccess,
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(ImportSettings) private readonly settings: ImportSettings,
    @inject(Switches) private readonly switches: Switches,
    @inject(ImportRunner) private readonly runner: ImportRunner,
    @inject(ProgressBoard) private readonly progress: ProgressBoard,
    @inject(ProjectFields) private readonly fields: ProjectFields,
    @inject(HostedApi.token) private readonly api: HostedApi,
  ) {}

  /** The repository to import into. @throws HostedError 503 during maintenance, 403; `not-found`. */
  target<P extends RepositoryParams>(ctx: Context<P>, account: Account): RepositoryRecord {
    if (this.settings.config.maintenance || this.switches.isOn('maintenance')) {
      ctx.res.setHeader('Retry-After', 300);
      throw new HostedError(503, 'The import service is under maintenance: try again later');
    }
    return this.repositories.managed(ctx, account);
  }

  /** The import into a repository. @throws `not-found` when there is none, and as `target` does. */
  find<P extends RepositoryParams>(
    ctx: Context<P>,
    account: Account,
  ): { readonly repository: RepositoryRecord; readonly record: ImportRecord } {
    const repository = this.target(ctx, account);
    const record = this.store.into(repository.id);
    if (record === undefined) throw notFound('no import');
    return { repository, record };
  }

  show<P>(ctx: Context<P>, repository: RepositoryRecord, record: ImportRecord): ImportJson {
    return importJson(record, {
      fields: this.fields,
      repository,
      baseUrl: this.api.baseUrl(ctx),
      progress: this.progress.of(record.id),
      isWaiting: this.runner.isWaiting(record.id),
    });
  }
}
