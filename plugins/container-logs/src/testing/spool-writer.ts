import { appendFile, rename, writeFile } from 'node:fs/promises';

/** Writes a spool as a runtime does: lines and new files come one after the other. */
export class SpoolWriter {
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly spool: string) {}

  append(text: string): Promise<void> {
    return this.#next(() => appendFile(this.spool, text));
  }

  rotate(): Promise<string> {
    const moved = `${this.spool}.1`;
    return this.#next(async () => {
      await rename(this.spool, moved);
      await writeFile(this.spool, '');
      return moved;
    });
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
