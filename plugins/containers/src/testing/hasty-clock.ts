import { type Clock, SystemClock } from '../clock.js';

/** Waits a hundredth of what it is asked for, and remembers what that was. */
export class HastyClock implements Clock {
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
