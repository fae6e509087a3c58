import { Clock, inject, injectable } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { endRestarts } from '../transitions.js';

/** The timers of restarts that are due. */
@injectable()
export class PendingRestarts {
  readonly #cancel = new Map<Container, () => void>();

  constructor(@inject(Clock.token) private readonly clock: Clock) {}

  schedule(container: Container, milliseconds: number, restart: () => void): void {
    const cancel = this.clock.after(milliseconds, () => {
      this.#cancel.delete(container);
      restart();
    });
    this.#cancel.set(container, cancel);
  }

  /**
   * Cancels the restart and stores that the container has exited. The caller holds the container's mutex.
   * @returns false when none was pending.
   */
  async cancel(container: Container): Promise<boolean> {
    this.#cancel.get(container)?.();
    this.#cancel.delete(container);
    return container.change(endRestarts);
  }

  /** Cancels the timers only: the next daemon restarts the containers. */
  suspend(): void {
    for (const cancel of this.#cancel.values()) cancel();
    this.#cancel.clear();
  }
}
