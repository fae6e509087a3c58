/** After this long a driver is asked again, in milliseconds, even if it still owes an answer. */
const forgiveness = 15_000;

/** A driver that did not answer in time. */
export class Late extends Error {}

/**
 * Waits for drivers no longer than a moment, so that lists never wait for one that hangs. Who owes an answer already is
 * not waited for at all.
 */
export class Patience {
  /** Since when a driver owes an answer. */
  readonly #owing = new Map<string, number>();

  constructor(private readonly milliseconds: number) {}

  /** Rejects {@link Late} when the driver does not answer in time, and with what the question rejects with. */
  async ask<T>(driver: string, question: () => Promise<T>): Promise<T> {
    const since = this.#owing.get(driver);
    if (since !== undefined && performance.now() - since < forgiveness) throw this.#late();
    const answer = question();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#owing.set(driver, performance.now());
        const settled = (): unknown => this.#owing.delete(driver);
        answer.then(settled, settled);
        reject(this.#late());
      }, this.milliseconds);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #late(): Late {
    return new Late(`no answer within ${this.milliseconds / 1000} s`);
  }
}
