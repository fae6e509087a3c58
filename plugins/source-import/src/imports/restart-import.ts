import { inject, injectable } from '@gantry/core/driver';
import { ImportDirectories } from '../storage/import-directories.js';
import { type Credentials, CredentialVault } from '../store/credential-vault.js';
import { ImportStore } from '../store/import-store.js';
import type { ImportRecord } from '../store/records.js';
import { ImportChanges } from './import-changes.js';
import { ImportRunner } from './import-runner.js';

export interface ImportUpdate {
  readonly credentials?: Credentials;
  readonly vcs?: string;
  readonly project?: string;
}

@injectable()
export class RestartImport {
  constructor(
    @inject(ImportChanges) private readonly changes: ImportChanges,
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(ImportRunner) private readonly runner: ImportRunner,
    @inject(CredentialVault) private readonly vault: CredentialVault,
    @inject(ImportDirectories) private readonly directories: ImportDirectories,
  ) {}

  /** Starts again with the detection. Resolves to undefined when the import is gone. */
  restart({ id, repositoryId }: ImportRecord, update: ImportUpdate): Promise<ImportRecord | undefined> {
    return this.changes.run(repositoryId, async () => {
      await this.runner.stop(id);
      const before = this.store.withId(id);
      if (before === undefined) return undefined;
      const { credentials, vcs = before.vcs, project = before.project } = update;
      if (credentials !== undefined) this.vault.put(id, { ...this.vault.of(id), ...credentials });
      // A conversion of another project cannot be resumed.
      if (vcs !== before.vcs || project !== before.project) await this.directories.delete(id);
      const record = await this.store.change(id, (now) => ({
        ...now,
        ...(vcs !== undefined && { vcs }),
        ...(project !== undefined && { project }),
        hasCredentials: now.hasCredentials || credentials !== undefined,
        state: { status: 'detecting' },
      }));
      if (record !== undefined) this.runner.add(id);
      return record;
    });
  }
}
