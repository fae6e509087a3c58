import { inject, injectable, Logger } from '@gantry/core/driver';
import { ImportSettings } from '../settings/import-settings.js';
import { isWorking } from '../store/import-states.js';
import { ImportStore } from '../store/import-store.js';
import { RunImport } from './run-import.js';

interface Run {
  readonly controller: AbortController;
  /** Never rejects. */
  readonly done: Promise<void>;
}

/** The back-off after a run that failed for no fault of the import. */
const retryMs = 5000;

/** Runs a bounded number of imports concurrently; the others wait in the order they were added. */
@injectable()
export class ImportRunner {
  readonly #running = new Map<number, Run>();
  #waiting: number[] = [];
  #isOpen = false;

  constructor(
    @inject(RunImport) private readonly runImport: RunImport,
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(ImportSettings) private readonly settings: ImportSettings,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Starts running imports; after a reload, as many as are allowed now. */
  open(): void {
    this.#isOpen = true;
    this.#startNext();
  }

  /** Queues an import to continue from its state, unless it is running or queued. */
  add(id: number): void {
    if (this.#running.has(id) || this.#waiting.includes(id)) return;
    this.#waiting.push(id);
    this.#startNext();
  }

  /** Whether as many imports wait as the configuration allows. */
  get isFull(): boolean {
    return this.#waiting.length >= this.settings.config.maxWaiting;
  }

  isWaiting(id: number): boolean {
    return this.#waiting.includes(id);
  }

  /** Stops an import: resolves when its programs have exited. */
  async stop(id: number): Promise<void> {
    this.#waiting = this.#waiting.filter((each) => each !== id);
    const run = this.#running.get(id);
    run?.controller.abort(new Error('the import was stopped'));
    await run?.done;
  }

  /** Stops all imports; the next start resumes them from their states. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await Promise.all([...this.#running.keys()].map((id) => this.stop(id)));
  }

  #startNext(): void {
    while (this.#isOpen && this.#running.size < this.settings.config.maxConcurrent) {
      const id = this.#waiting.shift();
      if (id === undefined) return;
      const controller = new AbortController();
      const done = this.runImport
        .run(id, controller.signal)
        .then(() => 0)
        .catch((error: unknown) => {
          this.log.error({ event: 'import.run-failed', import: id, error }, 'failed to run import; retrying');
          return retryMs;
        })
        .then((waitMs) => this.#finished(id, controller.signal, waitMs));
      this.#running.set(id, { controller, done });
    }
  }

  /** Queues the import again when an author was mapped while the run was finishing, or after a failure. */
  #finished(id: number, stopped: AbortSignal, waitMs: number): void {
    this.#running.delete(id);
    const state = this.store.withId(id)?.state;
    if (!stopped.aborted && state !== undefined && isWorking(state.status)) {
      if (waitMs === 0) this.#waiting.push(id);
      else setTimeout(() => this.add(id), waitMs).unref();
    }
    this.#startNext();
  }
}
