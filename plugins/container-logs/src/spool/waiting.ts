interface Waiter<F> {
  readonly file: F;
  readonly size: number;
  resolve(): void;
}

/** Those who wait for a reader to come as far as a file went when they asked. */
export class Waiting<F> {
  #waiters: Waiter<F>[] = [];

  /** Resolves when `size` bytes of the file are read. */
  until(file: F, size: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push({ file, size, resolve });
    });
  }

  /**
   * Tells those whose file is read so far, or is no longer among the files; `all` when nothing more is there to read.
   * `offset` is how far the first file is read.
   */
  tell(files: readonly F[], offset: number, all: boolean): void {
    if (this.#waiters.length === 0) return;
    const isOver = ({ file, size }: Waiter<F>) => all || !files.includes(file) || (file === files[0] && offset >= size);
    const over = this.#waiters.filter(isOver);
    this.#waiters = this.#waiters.filter((waiter) => !over.includes(waiter));
    for (const { resolve } of over) resolve();
  }
}
