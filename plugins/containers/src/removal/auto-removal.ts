import { inject, injectable, Logger } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { exitCodeOf } from '../transitions.js';
import { RemoveContainer, type RemoveOptions } from './remove-container.js';
import { RemovedExits } from './removed-exits.js';

/** Removals that no client requested. They never reject: failures are logged. */
@injectable()
export class AutoRemoval {
  constructor(
    @inject(RemoveContainer) private readonly removeContainer: RemoveContainer,
    @inject(RemovedExits) private readonly removedExits: RemovedExits,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Removes a container with AutoRemove that has exited; clients may still ask for its exit code. */
  removeExited(container: Container): Promise<void> {
    this.removedExits.add(container.record, exitCodeOf(container.record.state));
    return this.#remove(container, { force: false, volumes: true }, 'container.autoremove-failed');
  }

  /** Removes a temporary container of an operation that did not survive, also when it runs. */
  removeAbandoned(container: Container): Promise<void> {
    return this.#remove(container, { force: true, volumes: true }, 'container.abandoned');
  }

  async #remove(container: Container, options: RemoveOptions, event: string): Promise<void> {
    try {
      await this.removeContainer.remove(container.id, options);
    } catch (error) {
      const facts = { event, container: container.id, error };
      this.log.warn(facts, 'failed to remove a container');
    }
  }
}
