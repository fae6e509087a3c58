import type { Timer } from '@gantry/core/driver';

/** Lets one loop wait until it is notified or a time has passed. A notification before the wait ends it at once. */
export class WakeUp {
  #isNotified = false;
  #resume: (() => void) | undefined;

  constructor(private readonly timer: Timer) {}

  readonly notify = (): void => {
    this.#isNotified = true;
    this.#resume?.();
  };

  async wait(milliseconds: number): Promise<void> {
    if (!this.#isNotified && milliseconds > 0) {
      await new Promise<void>((resolve) => {
        const cancel = milliseconds < maxTimeout ? this.timer.after(milliseconds, resolve) : () => undefined;
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
