import { inject, injectable } from '@gantry/core/driver';
import { HostedError, validationFailed } from '@gantry/hosted-api/service';
import { type Credentials, CredentialVault } from '../store/credential-vault.js';
import { isWorking } from '../store/import-states.js';
import { ImportStore } from '../store/import-store.js';
import type { ImportRecord, RepositoryRecord } from '../store/records.js';
import { CheckTarget } from './check-target.js';
import { DiscardImport } from './discard-import.js';
import { ImportChanges } from './import-changes.js';
import { ImportRunner } from './import-runner.js';

export interface NewImport {
  readonly url: string;
  readonly vcs?: string;
  readonly project?: string;
  readonly credentials?: Credentials;
  readonly startedBy: number;
  readonly baseUrl: string;
}

@injectable()
export class StartImport {
  constructor(
    @inject(ImportChanges) private readonly changes: ImportChanges,
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(CheckTarget) private readonly checkTarget: CheckTarget,
    @inject(ImportRunner) private readonly runner: ImportRunner,
    @inject(CredentialVault) private readonly vault: CredentialVault,
    @inject(DiscardImport) private readonly discardImport: DiscardImport,
  ) {}

  /**
   * Replaces an earlier import that ended. @throws HostedError 422 while one is in progress, 503 when the queue is full;
   * what `CheckTarget` throws.
   */
  start(repository: RepositoryRecord, request: NewImport): Promise<ImportRecord> {
    return this.changes.run(repository.id, async () => {
      await this.checkTarget.check(repository);
      const before = this.store.into(repository.id);
      this.#check(repository, before);
      const { credentials, url, vcs, project, startedBy, baseUrl } = request;
      const record = await this.store.add({
        ...{ repositoryId: repository.id, url, startedBy, baseUrl },
        ...(vcs !== undefined && { vcs }),
        ...(project !== undefined && { project }),
        hasCredentials: credentials !== undefined,
        useLfs: 'undecided',
        state: { status: vcs === undefined ? 'detecting' : 'importing' },
        ...{ wishes: 0, fulfilled: 0, authorsCount: 0, largeFiles: { count: 0, bytes: 0 } },
      });
      if (before !== undefined) this.discardImport.discard(before.id);
      if (credentials !== undefined) this.vault.put(record.id, credentials);
      this.runner.add(record.id);
      return this.store.withId(record.id) ?? record;
    });
  }

  #check({ owner, name }: RepositoryRecord, before: ImportRecord | undefined): void {
    if (before !== undefined && isWorking(before.state.status)) {
      const message = `an import into ${owner}/${name} is in progress: cancel it first`;
      throw validationFailed({ resource: 'Import', field: 'repository', code: 'already_exists', message });
    }
    if (this.runner.isFull) {
      throw new HostedError(503, 'Too many imports are waiting: try again later');
    }
  }
}
