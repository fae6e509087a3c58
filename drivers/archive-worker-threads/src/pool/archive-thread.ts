import { Worker } from 'node:worker_threads';
import type { IdMappings } from '@gantry/core/contracts';
import type { JobStart, ThreadData, ThreadMessage } from './protocol.js';

/** How long `end` waits for the running job, in ms. */
const endTimeout = 5_000;

/** One worker thread. It runs one job at a time. */
export class ArchiveThread {
  readonly #worker: Worker;
  #isEnding = false;
  /** Callbacks for the end of the running job; undefined while there is none. */
  #onFree: (() => void)[] | undefined;
  /** Settles when the thread has ended, with the reason if it ended by itself. */
  readonly ended: Promise<Error | undefined>;

  constructor(idMappings: IdMappings, onFree: () => void) {
    const workerData: ThreadData = { idMappings };
    this.#worker = new Worker(new URL('../worker/main.js', import.meta.url), {
      name: 'archive',
      workerData,
      // An archive made to fill memory must not take the daemon down with it.
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    this.#worker.unref();
    this.#worker.on('message', (_: ThreadMessage) => {
      // `end` needs the event loop until the job is over.
      if (!this.#isEnding) this.#worker.unref();
      const callbacks = this.#onFree ?? [];
      this.#onFree = undefined;
      for (const callback of callbacks) callback();
      onFree();
    });
    this.ended = new Promise((resolve) => {
      this.#worker.once('error', (error) => resolve(error instanceof Error ? error : new Error(String(error))));
      this.#worker.once('exit', () => resolve(undefined));
    });
  }

  start(job: JobStart): void {
    this.#onFree = [];
    this.#worker.ref();
    this.#worker.postMessage(job, [job.channel]);
  }

  /**
   * Resolves when the thread is gone. A running job should have been aborted before: terminating a thread in the middle
   * of its first native call ends the process.
   */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#free();
    await this.#worker.terminate();
  }

  #free(): Promise<void> {
    const callbacks = this.#onFree;
    if (callbacks === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, endTimeout);
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      callbacks.push(done);
      void this.ended.then(done);
    });
  }
}
