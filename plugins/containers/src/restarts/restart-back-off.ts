import { injectable } from '@gantry/core/driver';
import type { Container } from '../container.js';

/** The last delay of the restart policy of each container, from which the next one is computed. */
@injectable()
export class RestartBackOff {
  readonly #delays = new WeakMap<Container, number>();

  /** Milliseconds; 0 when the next delay is the first. */
  last(container: Container): number {
    return this.#delays.get(container) ?? 0;
  }

  record(container: Container, milliseconds: number): void {
    this.#delays.set(container, milliseconds);
  }

  reset(container: Container): void {
    this.#delays.delete(container);
  }
}
