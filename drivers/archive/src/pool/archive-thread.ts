import { Worker } from 'node:worker_threads';
import type { JobStart, ThreadMessage } from './protocol.js';

/** How long an ending waits for the job that runs, in ms. */
const lastWork = 5_000;

/** One worker thread. It does one job at a time. */
export class ArchiveThread {
  readonly #worker: Worker;
  #isEnding = false;
  /** Told when the job that runs is over; undefined without one. */
  #whenFree: (() => void)[] | undefined;
  /** Settles when the thread has ended, with the reason if it ended by itself. */
  readonly ended: Promise<Error | undefined>;

  constructor(onFree: () => void) {
    this.#worker = new Worker(new URL('../worker/main.js', import.meta.url), {
      name: 'archive',
      // An archive made to fill memory must not take the daemon with it.
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    this.#worker.on('message', (_: ThreadMessage) => {
      // Who waits for its end needs the event loop until then.
      if (!this.#isEnding) this.#worker.unref();
      const waiting = this.#whenFree ?? [];
      this.#whenFree = undefined;
      for (const tell of waiting) tell();
      onFree();
    });
    this.ended = new Promise((resolve) => {
      this.#worker.once('error', (error) => resolve(error instanceof Error ? error : new Error(String(error))));
      this.#worker.once('exit', () => resolve(undefined));
    });
  }

  start(job: JobStart): void {
    this.#whenFree = [];
    this.#worker.ref();
    this.#worker.postMessage(job, [job.channel]);
  }

  /**
   * Resolves when the thread is gone. A job that runs should have been told to give up: a thread that is stopped in the
   * middle of its first native call takes the process with it.
   */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#free();
    await this.#worker.terminate();
  }

  #free(): Promise<void> {
    const waiting = this.#whenFree;
    if (waiting === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      const late = setTimeout(resolve, lastWork);
      const over = (): void => {
        clearTimeout(late);
        resolve();
      };
      waiting.push(over);
      void this.ended.then(over);
    });
  }
}
