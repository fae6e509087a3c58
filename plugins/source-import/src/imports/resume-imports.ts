import { inject, injectable } from '@gantry/core/driver';
import { ConvertedRepositories } from '@gantry/lib-source';
import { HostedRepositories } from '../storage/hosted-repositories.js';
import { ImportDirectories } from '../storage/import-directories.js';
import { isWorking } from '../store/import-states.js';
import { ImportStore } from '../store/import-store.js';
import { Repositories } from '../store/repositories.js';
import { ImportRunner } from './import-runner.js';
import { stateWithoutCredentials } from './state-after-failure.js';

/** Recovers from the end of an earlier daemon. */
@injectable()
export class ResumeImports {
  constructor(
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(Repositories) private readonly repositories: Repositories,
    @inject(ImportDirectories) private readonly directories: ImportDirectories,
    @inject(HostedRepositories) private readonly hosted: HostedRepositories,
    @inject(ConvertedRepositories.token) private readonly converted: ConvertedRepositories,
    @inject(ImportRunner) private readonly runner: ImportRunner,
  ) {}

  /** Deletes orphaned directories and queues interrupted imports; those that need credentials ask for them again. */
  async resume(): Promise<void> {
    await this.directories.deleteOrphans(new Set(this.store.list().map(({ id }) => id)));
    await this.hosted.deleteOrphans(new Set(this.repositories.list().map(({ id }) => id)));
    for (const { id, state, hasCredentials } of this.store.list()) {
      if (!isWorking(state.status)) continue;
      await this.converted.removeOrphans(this.directories.of(id).scratch);
      if (hasCredentials && (state.status === 'detecting' || state.status === 'importing')) {
        const waiting = stateWithoutCredentials(state.status);
        await this.store.change(id, (record) => ({ ...record, state: waiting }));
      } else this.runner.add(id);
    }
  }
}
