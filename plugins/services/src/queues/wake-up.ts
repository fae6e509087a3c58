import type { Timer } from '@gantry/core/driver';

/** Lets one loop wait until it is notified. A notification before the wait ends it at once. */
export class WakeUp {
  #isNotified = false;
  #resume: (() => void) | undefined;

  readonly notify = (): void => {
    this.#isNotified = true;
    this.#resume?.();
  };

  /** Resolves when it has been notified since the last wait. */
  wait(): Promise<void> {
    return this.#wait(() => () => undefined);
  }

  /** As `wait`, and also when the time has passed. */
  async waitAtMost(milliseconds: number, timer: Timer): Promise<void> {
    if (milliseconds >= maxTimeout) await this.wait();
    else if (milliseconds > 0) await this.#wait((resolve) => timer.after(milliseconds, resolve));
    else this.#isNotified = false;
  }

  /** @param begin what else resumes. @returns cancels that. */
  async #wait(begin: (resume: () => void) => () => void): Promise<void> {
    if (!this.#isNotified) {
      await new Promise<void>((resolve) => {
        const cancel = begin(resolve);
        this.#resume = () => {
          cancel();
          resolve();
        };
      });
    }
    this.#resume = undefined;
    this.#isNotified = false;
  }
}

/** The longest time that timers can be set for. */
const maxTimeout = 2 ** 31 - 1;
