import { invalidArgument } from '@gantry/core/errors';

/** More images or names in one archive are refused. */
const limit = 10_000;

/** Counts what the documents of an archive list: a small one can list millions, or list another one again and again. */
export class ListedImages {
  #count = 0;

  /** @throws EngineError `invalid-argument` beyond the limit. */
  add(count: number): void {
    this.#count += count;
    if (this.#count > limit) throw invalidArgument(`the archive lists more than ${limit} images or names`);
  }
}
