/** Runs what is asked for under one name in the order of the calls, and under different names side by side. */
export class Serial {
  readonly #last = new Map<string, Promise<unknown>>();

  run<R>(name: string, work: () => Promise<R>): Promise<R> {
    const result = (this.#last.get(name) ?? Promise.resolve()).then(work, work);
    const settled = result
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(name) === settled) this.#last.delete(name);
      });
    this.#last.set(name, settled);
    return result;
  }
}
