/** Lets a few works run at a time, the others in the order of the calls. */
export class Lanes {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Settles as the work does, which must not call `run` of the same lanes. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    // Otherwise the lane of whoever is done is handed on.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

/**
 * For what makes and removes files under the data root, by up to three calls side by side. While a disk hangs, each
 * call holds a thread of Node's pool; this many at most, so that others are left to those who read.
 */
export const diskLanes = new Lanes(8);
