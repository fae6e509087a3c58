interface Waiter<F> {
  readonly file: F;
  readonly size: number;
  resolve(): void;
}

/** Callers that wait for a reader to reach the size a file had when they asked. */
export class CatchUpWaiters<F> {
  #waiters: Waiter<F>[] = [];

  /** Resolves when `size` bytes of the file are consumed. */
  until(file: F, size: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push({ file, size, resolve });
    });
  }

  /** Resolves those whose file is consumed that far, or is no longer among the files. `offset` is in the first file. */
  update(files: readonly F[], offset: number): void {
    this.#resolve(({ file, size }) => !files.includes(file) || (file === files[0] && offset >= size));
  }

  /** There is nothing more to consume for now. */
  resolveAll(): void {
    this.#resolve(() => true);
  }

  #resolve(isDone: (waiter: Waiter<F>) => boolean): void {
    if (this.#waiters.length === 0) return;
    const done = this.#waiters.filter(isDone);
    this.#waiters = this.#waiters.filter((waiter) => !done.includes(waiter));
    for (const { resolve } of done) resolve();
  }
}
