/** Runs one piece of work after the other, in the order they came. A failure is its caller's and stops nobody else. */
export class SerialQueue {
  #tail: Promise<unknown> | undefined;

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail === undefined ? work() : this.#tail.then(work);
    const settled = result.then(forget, forget);
    this.#tail = settled;
    void settled.then(() => {
      if (this.#tail === settled) this.#tail = undefined;
    });
    return result;
  }
}

const forget = () => undefined;
