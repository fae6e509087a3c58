import { type Clock, SystemClock } from '@gantry/core/driver';

/** A clock whose timers fire after a hundredth of their time. It records how long each was. */
export class AcceleratedClock implements Clock {
  readonly delays: number[] = [];
  readonly #clock = new SystemClock();

  now(): bigint {
    return this.#clock.now();
  }

  after(milliseconds: number, callback: () => void): () => void {
    this.delays.push(milliseconds);
    return this.#clock.after(milliseconds / 100, callback);
  }
}
