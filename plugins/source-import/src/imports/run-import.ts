import { inject, injectable, Logger } from '@gantry/core/driver';
import { ImportSteps } from '../steps/import-steps.js';
import { ImportDirectories } from '../storage/import-directories.js';
import { isWorking } from '../store/import-states.js';
import { ImportStore } from '../store/import-store.js';
import { ProgressBoard } from '../store/progress-board.js';
import { FreeSpaceWatch } from './free-space-watch.js';
import { stateAfterFailure } from './state-after-failure.js';

/** Runs the steps of one import until it is complete, failed, waiting for its user, or stopped. */
@injectable()
export class RunImport {
  constructor(
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(ImportSteps) private readonly steps: ImportSteps,
    @inject(ImportDirectories) private readonly directories: ImportDirectories,
    @inject(ProgressBoard) private readonly progress: ProgressBoard,
    @inject(FreeSpaceWatch) private readonly freeSpace: FreeSpaceWatch,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Rejects when the state cannot be stored; failures of the import itself become its state. */
  async run(id: number, stopped: AbortSignal): Promise<void> {
    const aborted = new AbortController();
    const signal = AbortSignal.any([stopped, aborted.signal]);
    const watch = this.freeSpace.watch(signal).catch((error) => aborted.abort(error));
    try {
      while (!stopped.aborted && (await this.#runStep(id, signal, stopped))) this.#logState(id);
    } finally {
      this.progress.delete(id);
      aborted.abort();
      await watch;
    }
  }

  /** Resolves to whether a step was run; false when there is nothing more to do. */
  async #runStep(id: number, signal: AbortSignal, stopped: AbortSignal): Promise<boolean> {
    const record = this.store.withId(id);
    if (record === undefined || !isWorking(record.state.status)) return false;
    const { status } = record.state;
    this.progress.delete(id);
    try {
      await this.directories.create(id);
      signal.throwIfAborted();
      await this.steps.run(status, record, signal);
    } catch (error) {
      if (stopped.aborted) return false;
      const state = stateAfterFailure(status, signal.aborted ? signal.reason : error);
      await this.store.change(id, (now) => (now.state === record.state ? { ...now, state } : undefined));
    }
    return true;
  }

  #logState(id: number): void {
    const { state, repositoryId } = this.store.withId(id) ?? {};
    if (state === undefined) return;
    const facts = { event: 'import.moved', import: id, repository: repositoryId, status: state.status };
    const failed = state.status === 'error' && { step: state.failedStep, reason: state.message };
    this.log.info({ ...facts, ...failed }, 'import changed its status');
  }
}
