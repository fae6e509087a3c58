import { Readable } from 'node:stream';
import type { JobOptions } from './run-job.js';

/**
 * The output of a job. The job starts at the first read, so that an unread stream costs nothing, and is aborted when the
 * stream is destroyed.
 */
export class JobStream extends Readable {
  readonly #run: (options: Required<Pick<JobOptions, 'signal' | 'onPiece'>>) => Promise<unknown>;
  readonly #end = new AbortController();
  #job: Promise<void> | undefined;
  #onRead: (() => void)[] = [];

  constructor(run: (options: Required<Pick<JobOptions, 'signal' | 'onPiece'>>) => Promise<unknown>) {
    super({ highWaterMark: 512 * 1024 });
    this.#run = run;
  }

  override _read(): void {
    this.#job ??= this.#begin();
    for (const grant of this.#onRead.splice(0)) grant();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#end.abort();
    // `close` is emitted when the worker has closed its files.
    void Promise.resolve(this.#job).then(() => callback(error));
  }

  async #begin(): Promise<void> {
    try {
      await this.#run({
        signal: this.#end.signal,
        onPiece: (bytes, grant) => {
          const more = this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
          if (more) grant();
          else this.#onRead.push(grant);
        },
      });
      this.push(null);
    } catch (error) {
      // Not awaited: destroying waits for this very job.
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
