import { Worker } from 'node:worker_threads';
import type { JobStart, ThreadMessage } from './protocol.js';

/** One worker thread. It does one job at a time. */
export class ArchiveThread {
  readonly #worker: Worker;
  #isEnding = false;
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
      onFree();
    });
    this.ended = new Promise((resolve) => {
      this.#worker.once('error', (error) => resolve(error instanceof Error ? error : new Error(String(error))));
      this.#worker.once('exit', () => resolve(undefined));
    });
  }

  start(job: JobStart): void {
    this.#worker.ref();
    this.#worker.postMessage(job, [job.channel]);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#worker.terminate();
  }
}
