import { inject, injectable, Logger } from '@gantry/core/driver';
import { ImportDirectories } from '../storage/import-directories.js';
import { CredentialVault } from '../store/credential-vault.js';
import { ImportRunner } from './import-runner.js';

/** Releases the resources of an import whose record was deleted. */
@injectable()
export class DiscardImport {
  constructor(
    @inject(ImportRunner) private readonly runner: ImportRunner,
    @inject(ImportDirectories) private readonly directories: ImportDirectories,
    @inject(CredentialVault) private readonly credentials: CredentialVault,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Returns at once; the directory is deleted in the background, and by the next start after a failure. */
  discard(id: number): void {
    this.credentials.delete(id);
    this.runner
      .stop(id)
      .then(() => this.directories.delete(id))
      .catch((error: unknown) => {
        const facts = { event: 'import.directory-not-removed', import: id, error };
        this.log.warn(facts, 'failed to remove import directory');
      });
  }
}
