import { unavailable } from '@gantry/core/errors';

const newline = Buffer.from('\n');

/** Appends the output of one container to its file. */
export class __Name__Sink {
  dropped = 0;
  #file;
  #isClosed = false;

  constructor(file) {
    this.#file = file;
  }

  async write(batch) {
    if (this.#isClosed) throw unavailable('the log is closed');
    // A partial record goes on in the next one of its stream.
    const parts = [...batch.records()].flatMap(({ line, partial }) => (partial ? [line] : [line, newline]));
    try {
      await this.#file.appendFile(Buffer.concat(parts));
      await this.#file.datasync();
    } catch (cause) {
      throw unavailable('the log cannot be written', { cause });
    }
  }

  /** Positions are not stored, so that the last batch may be written twice when the daemon is killed. */
  async resumeAt() {
    return undefined;
  }

  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#file.close();
  }
}
