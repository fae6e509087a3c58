import { inject, injectable } from '@gantry/core/driver';
import { ConvertedRepositories, type LargeFileChoice } from '@gantry/lib-source';
import { ImportSettings } from '../settings/import-settings.js';
import { ImportDirectories } from '../storage/import-directories.js';
import { mappingsOf } from '../store/import-authors.js';
import { ImportStore } from '../store/import-store.js';
import type { ImportRecord, LfsChoice } from '../store/records.js';
import type { ImportStep } from './import-step.js';

/** An undecided user is not waited for: the choice can be made later. */
const largeFileChoices: Readonly<Record<LfsChoice, LargeFileChoice>> = {
  undecided: 'keep',
  opt_in: 'lfs',
  opt_out: 'remove',
};

/** `mapping`: rewrites the history with mapped authors and the choice about large files. */
@injectable()
export class RewriteHistory implements ImportStep {
  constructor(
    @inject(ConvertedRepositories.token) private readonly converted: ConvertedRepositories,
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(ImportDirectories) private readonly directories: ImportDirectories,
    @inject(ImportSettings) private readonly settings: ImportSettings,
  ) {}

  async run({ id, useLfs, wishes }: ImportRecord, signal: AbortSignal): Promise<void> {
    const { converted, scratch } = this.directories.of(id);
    // Changes from here on are left to the next rewrite.
    const authors = mappingsOf(this.store.authors.of(id));
    const rewrite = {
      authors,
      largeFiles: largeFileChoices[useLfs],
      limitBytes: this.settings.config.largeFileBytes,
    };
    await this.converted.rewrite(converted, rewrite, { scratch, signal });
    await this.store.change(id, (now) => ({ ...now, fulfilled: wishes, state: { status: 'pushing' } }));
  }
}
