import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import type { Context } from '@gantry/core/http';
import { type Account, HostedError } from '@gantry/hosted-api/service';
import { ImportSettings } from '../settings/import-settings.js';
import { ImportStore } from '../store/import-store.js';
import type { ImportRecord, RepositoryRecord } from '../store/records.js';
import { Switches } from '../store/switches.js';
import { RepositoryAccess, type RepositoryParams } from './repository-access.js';

/** Finds the import of a request. */
@injectable()
export class ImportAccess {
  constructor(
    @inject(RepositoryAccess) private readonly repositories: RepositoryAccess,
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(ImportSettings) private readonly settings: ImportSettings,
    @inject(Switches) private readonly switches: Switches,
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
}
