import { inject, injectable } from '@gantry/core/driver';
import { ConvertedRepositories } from '@gantry/lib-source';
import { ImportSettings } from '../settings/import-settings.js';
import { ImportDirectories } from '../storage/import-directories.js';
import { ImportStore } from '../store/import-store.js';
import type { ImportRecord } from '../store/records.js';

/** Lists the authors and the large files of a converted source. */
@injectable()
export class ListContents {
  constructor(
    @inject(ConvertedRepositories.token) private readonly converted: ConvertedRepositories,
    @inject(ImportDirectories) private readonly directories: ImportDirectories,
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(ImportSettings) private readonly settings: ImportSettings,
  ) {}

  /** Stores both with the import, which moves on to `mapping`. */
  async list({ id }: ImportRecord, signal: AbortSignal): Promise<void> {
    const { converted, scratch } = this.directories.of(id);
    const authors = await this.converted.authors(converted, { scratch, signal });
    const limit = this.settings.config.largeFileBytes;
    const files = await this.converted.largeFiles(converted, limit, { scratch, signal });
    const largeFiles = { count: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
    await this.store.change(id, (now, transaction) => {
      const authorsCount = this.store.authors.add(transaction, id, authors);
      this.store.putLargeFiles(transaction, id, files);
      return { ...now, authorsCount, largeFiles, state: { status: 'mapping' } };
    });
  }
}
