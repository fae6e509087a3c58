import { inject, injectable } from '@gantry/core/driver';
import { HostedRepositories } from '../storage/hosted-repositories.js';
import type { RepositoryRecord } from '../store/records.js';
import { Repositories } from '../store/repositories.js';
import { CancelImport } from './cancel-import.js';
import { ImportChanges } from './import-changes.js';

@injectable()
export class DeleteRepository {
  constructor(
    @inject(ImportChanges) private readonly changes: ImportChanges,
    @inject(CancelImport) private readonly cancelImport: CancelImport,
    @inject(Repositories) private readonly repositories: Repositories,
    @inject(HostedRepositories) private readonly hosted: HostedRepositories,
  ) {}

  /** Deletes a repository and the import into it. */
  delete(repository: RepositoryRecord): Promise<void> {
    return this.changes.run(repository.id, async () => {
      await this.cancelImport.deleteWithin(repository.id);
      await this.repositories.delete(repository);
      await this.hosted.delete(repository.id);
    });
  }
}
