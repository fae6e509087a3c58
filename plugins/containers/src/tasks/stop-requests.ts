import { Clock, inject, injectable, Logger, withDeadline } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { markStopped } from '../transitions.js';

/** How long the disk may take to store a stop request, in milliseconds. */
const storeTimeout = 2000;

/** Stores that a client wants a container stopped, which its restart policy takes into account. */
@injectable()
export class StopRequests {
  constructor(
    @inject(Clock.token) private readonly clock: Clock,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * A disk that accepts no writes must not prevent a container from being stopped, least of all the one that filled it:
   * the request is then stored with the exit.
   */
  async record(container: Container): Promise<void> {
    const storing = container.change(markStopped);
    const error = `the disk has not answered within ${storeTimeout / 1000} s`;
    try {
      await withDeadline({ milliseconds: storeTimeout, error, timer: this.clock }, () => storing);
    } catch (failure) {
      container.stopRequest = 'unstored';
      const facts = { event: 'container.stop-not-stored', container: container.id, error: failure };
      this.log.error(facts, 'failed to store a stop request; stopping the container anyway');
      storing.catch(() => undefined);
    }
  }
}
