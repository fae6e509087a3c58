/** Mutual exclusion in the order of the calls. */
export class Mutex {
  #tail: Promise<void> | undefined;

  /** Whether work is running or queued. */
  get isLocked(): boolean {
    return this.#tail !== undefined;
  }

  /**
   * Runs the work once all earlier work has settled, and settles as it does; a failure does not affect later work. An
   * idle mutex runs it at once. The work must not lock the same mutex.
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail === undefined ? work() : this.#tail.then(work);
    const settled = result.then(ignore, ignore).then(() => {
      if (this.#tail === settled) this.#tail = undefined;
    });
    this.#tail = settled;
    return result;
  }
}

const ignore = (): void => undefined;
