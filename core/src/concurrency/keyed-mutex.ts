/** A mutex per key: work with the same key runs in the order of the calls, work with different keys in parallel. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<void>>();

  /** Settles as the work does; a failure does not affect later work with the same key. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const tail = this.#tails.get(key);
    const result = tail === undefined ? work() : tail.then(work);
    const settled = result.then(ignore, ignore);
    this.#tails.set(key, settled);
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === settled) this.#tails.delete(key);
    }
  }
}

const ignore = (): void => undefined;
