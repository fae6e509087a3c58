import { inject, injectable, KeyedMutex } from '@gantry/core/driver';
import { GitHosting } from '@gantry/lib-git-hosting';
import { ConvertedRepositories } from '@gantry/lib-source';
import { HostedRepositories } from '../storage/hosted-repositories.js';
import { ImportDirectories } from '../storage/import-directories.js';
import { ProgressBoard } from '../store/progress-board.js';
import type { ImportRecord } from '../store/records.js';
import { Repositories } from '../store/repositories.js';

/** Pushes rewritten histories to hosted repositories, and publishes them to readers. */
@injectable()
export class PushHistory {
  /** One push at a time for each repository: that of a cancelled import may not have ended yet. */
  readonly #pushes = new KeyedMutex();

  constructor(
    @inject(ConvertedRepositories.token) private readonly converted: ConvertedRepositories,
    @inject(GitHosting.token) private readonly git: GitHosting,
    @inject(HostedRepositories) private readonly hosted: HostedRepositories,
    @inject(ImportDirectories) private readonly directories: ImportDirectories,
    @inject(Repositories) private readonly repositories: Repositories,
    @inject(ProgressBoard) private readonly progress: ProgressBoard,
  ) {}

  push(record: ImportRecord, signal: AbortSignal): Promise<void> {
    return this.#pushes.run(String(record.repositoryId), () => this.#push(record, signal));
  }

  async #push({ id, repositoryId }: ImportRecord, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { converted, scratch } = this.directories.of(id);
    const onProgress = (percent: number): void => this.progress.set(id, { percent: Math.floor(percent) });
    const target = await this.hosted.ensure(repositoryId);
    // Locks of a push that was killed with the daemon would block this one.
    await this.git.cleanUp(target, { signal });
    const staging = await this.git.openStaging(target, { signal });
    await this.converted.push(converted, staging, { scratch, signal, onProgress });
    await this.git.publishRefs(target, { signal });
    await this.repositories.change(repositoryId, { pushedAt: Date.now() });
  }
}
