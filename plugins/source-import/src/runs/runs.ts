import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { isWorking } from '../states.js';
import type { ImportRecord, ImportState } from '../store/records.js';
import { stateAfterFailure } from './failures.js';
import { type StepParts, steps } from './steps.js';

interface Run {
  readonly stop: AbortController;
  /** Never rejects. */
  readonly done: Promise<void>;
}

/** How often the free space is looked at while imports run. */
const spaceCheckMs = 2000;

/** Until a run begins again that ended for a reason that is not the import's. */
const retryMs = 5000;

/** Takes imports from state to state, a bounded number at a time; the others wait in the order they came. */
export class Runs {
  readonly #running = new Map<number, Run>();
  #waiting: number[] = [];
  #isOpen = false;

  constructor(
    private readonly parts: StepParts,
    private readonly root: string,
    private readonly log: Logger,
  ) {}

  /** From now on imports run. */
  open(): void {
    this.#isOpen = true;
    this.#startNext();
  }

  /** Lets an import go on from its state, unless it does already. */
  add(id: number): void {
    if (this.#running.has(id) || this.#waiting.includes(id)) return;
    this.#waiting.push(id);
    this.#startNext();
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  isWaiting(id: number): boolean {
    return this.#waiting.includes(id);
  }

  /** Stops what is done for an import: resolves when its programs have gone. */
  async halt(id: number): Promise<void> {
    this.#waiting = this.#waiting.filter((each) => each !== id);
    const run = this.#running.get(id);
    run?.stop.abort(new Error('the import was stopped'));
    await run?.done;
  }

  /** Stops everything; the states stay what they are, for the next start. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await Promise.all([...this.#running.keys()].map((id) => this.halt(id)));
  }

  #startNext(): void {
    while (this.#isOpen && this.#running.size < this.parts.config().maxConcurrent) {
      const id = this.#waiting.shift();
      if (id === undefined) return;
      const stop = new AbortController();
      const done = this.#run(id, stop.signal)
        .then(() => 0)
        .catch((error: unknown) => {
          // Not the import's fault: its state could not be written, say.
          this.log.error({ event: 'import.run-failed', import: id, reason: messageOf(error) }, 'an import stopped');
          return retryMs;
        })
        .then((wait) => this.#ended(id, stop.signal, wait));
      this.#running.set(id, { stop, done });
    }
  }

  /** An author may have been mapped while the run was ending: nobody else would begin the next one. */
  #ended(id: number, stopped: AbortSignal, waitMs: number): void {
    this.#running.delete(id);
    const state = this.parts.store.withId(id)?.state;
    if (!stopped.aborted && state !== undefined && isWorking(state.status)) {
      if (waitMs === 0) this.#waiting.push(id);
      else setTimeout(() => this.add(id), waitMs).unref();
    }
    this.#startNext();
  }

  async #run(id: number, stopped: AbortSignal): Promise<void> {
    const { store, progress, directories } = this.parts;
    const over = new AbortController();
    const signal = AbortSignal.any([stopped, over.signal]);
    const watch = this.#watchSpace(over, stopped);
    try {
      for (;;) {
        const record = store.withId(id);
        if (record === undefined || stopped.aborted || !isWorking(record.state.status)) return;
        const step = record.state.status;
        progress.clear(id);
        try {
          await directories.makeImport(id);
          signal.throwIfAborted();
          await steps[step](record, this.parts, signal);
        } catch (error) {
          if (stopped.aborted) return;
          await this.#fail(record, stateAfterFailure(step, over.signal.aborted ? over.signal.reason : error));
        }
        this.#tell(id);
      }
    } finally {
      progress.clear(id);
      over.abort();
      await watch;
    }
  }

  #fail(record: ImportRecord, state: ImportState): Promise<ImportRecord | undefined> {
    return this.parts.store.change(record.id, (now) => (now.state === record.state ? { ...now, state } : undefined));
  }

  #tell(id: number): void {
    const { state, repositoryId } = this.parts.store.withId(id) ?? {};
    if (state === undefined) return;
    const facts = { event: 'import.moved', import: id, repository: repositoryId, status: state.status };
    const failed = state.status === 'error' && { step: state.failedStep, reason: state.message };
    this.log.info({ ...facts, ...failed }, 'an import moved');
  }

  /** Ends the run when others need what is left of the disk. */
  async #watchSpace(over: AbortController, stopped: AbortSignal): Promise<void> {
    const ended = AbortSignal.any([over.signal, stopped]);
    try {
      while (!ended.aborted) {
        const { bavail, bsize } = await statfs(this.root);
        const least = this.parts.config().minFreeBytes;
        if (bavail * bsize < least) throw new Error(`less than ${least} bytes are free on the disk`);
        await delay(spaceCheckMs, undefined, { signal: ended }).catch(() => undefined);
      }
    } catch (error) {
      over.abort(error);
    }
  }
}
