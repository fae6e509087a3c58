/** Lets a few works run at a time, the others in the order in which they came. */
export class Lanes {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** True when who comes now has to wait. */
  get isFull(): boolean {
    return this.#free === 0;
  }

  /** Resolves to what gives the lane back; only its first call counts. Rejects with the signal's reason at abort. */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    // Otherwise the lane of whoever is done is handed on.
    else await this.#wait(signal);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }

  /** Settles as the work does, which must not call `run` of the same lanes. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.take();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(enter);
    });
  }
}

/**
 * For what makes and removes files under the data root, by up to three calls side by side. While a disk hangs, each
 * call holds a thread of Node's pool; this many at most, so that others are left to those who read.
 */
export const diskLanes = new Lanes(8);
