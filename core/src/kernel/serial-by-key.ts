/** Runs what concerns one key in the order of the calls, one after the other, and different keys side by side. */
export class SerialByKey {
  readonly #last = new Map<string, Promise<void>>();

  /** Settles as the action does. A failure stops nobody who waits behind it. */
  async run<T>(key: string, action: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const result = before === undefined ? action() : before.then(action);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, settled);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}
