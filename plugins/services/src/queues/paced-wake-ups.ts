import type { WakeUp } from './wake-up.js';

/** Wake-ups in one turn of the event loop. */
const most = 50;

/**
 * Ends waits a few at a time. One change may end those of thousands of nodes; what is done for all of them at once would keep the
 * event loop for seconds, through which the members of the store hear of each other, and heartbeats come.
 */
export class PacedWakeUps {
  readonly #due = new Set<WakeUp>();
  #isScheduled = false;

  /** Ends a wait soon, before those that are added later. Once for all that add it until then. */
  add(wakeUp: WakeUp): void {
    this.#due.add(wakeUp);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#due.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      let count = 0;
      for (const wakeUp of this.#due) {
        if (++count > most) break;
        this.#due.delete(wakeUp);
        wakeUp.notify();
      }
      this.#schedule();
    });
  }
}
