import { setTimeout as delay } from 'node:timers/promises';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { Container } from '../container.js';
import type { Transition } from '../transitions.js';

/** A full disk may have room in a moment. */
const retryMs = 1000;

/** Stores transitions that have happened already, so that they cannot be rolled back. */
@injectable()
export class RetriedChanges {
  constructor(@inject(Logger) private readonly log: Logger) {}

  /**
   * Retries until the transition is stored. The container is in the phase `ending`; operations that wait for it see
   * in `unrecordedExit` why storing takes longer.
   * @returns false when the transition was not allowed.
   */
  async apply(container: Container, transition: Transition, announce?: () => void): Promise<boolean> {
    for (;;) {
      try {
        const isMade = await container.change(transition, announce);
        this.#report(container, undefined);
        return isMade;
      } catch (error) {
        const reason = messageOf(error);
        this.#report(container, reason);
        const facts = { event: 'container.not-stored', container: container.id, reason };
        this.log.error(facts, 'failed to store the exit of a container; retrying');
        await delay(retryMs);
      }
    }
  }

  #report(container: Container, unrecorded: string | undefined): void {
    const { run } = container;
    if (run.phase !== 'ending' || run.unrecorded === unrecorded) return;
    container.run = { phase: 'ending', released: run.released, ...(unrecorded !== undefined && { unrecorded }) };
  }
}
