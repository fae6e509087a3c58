import { SourceError, type SourceProgress } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { ImportDirectories } from '../storage/import-directories.js';
import { ImportStore } from '../store/import-store.js';
import { ProgressBoard } from '../store/progress-board.js';
import type { ImportRecord } from '../store/records.js';
import { DetectSource } from './detect-source.js';
import type { ImportStep } from './import-step.js';
import { ListContents } from './list-contents.js';
import { SourceAccess } from './source-access.js';

/** `importing`: converts the source, and lists its authors and large files. */
@injectable()
export class FetchSource implements ImportStep {
  constructor(
    @inject(SourceAccess) private readonly access: SourceAccess,
    @inject(DetectSource) private readonly detection: DetectSource,
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(ImportDirectories) private readonly directories: ImportDirectories,
    @inject(ListContents) private readonly contents: ListContents,
    @inject(ProgressBoard) private readonly progress: ProgressBoard,
  ) {}

  async run(record: ImportRecord, signal: AbortSignal): Promise<void> {
    try {
      await this.#convert(record, signal);
    } catch (error) {
      if (!SourceError.is(error) || error.failure !== 'project-needed' || signal.aborted) throw error;
      // The kind was given, so that the projects were never listed.
      const found = await this.detection.detect(record, signal);
      if (found.status !== 'found-multiple') throw error;
      const { choices } = found;
      await this.store.change(record.id, (now) => ({ ...now, state: { status: 'detection_found_multiple', choices } }));
      return;
    }
    await this.contents.list(record, signal);
  }

  #convert(record: ImportRecord, signal: AbortSignal): Promise<void> {
    const { id, vcs = '' } = record;
    const onProgress = ({ percent, commitCount }: SourceProgress): void =>
      this.progress.set(id, { percent: Math.floor(percent), ...(commitCount !== undefined && { commitCount }) });
    const { converted: repository } = this.directories.of(id);
    const options = { ...this.access.context(record, signal), repository, onProgress };
    return this.access.driver(vcs).convert(this.access.source(record), options);
  }
}
