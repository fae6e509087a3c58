import { inject, injectable, Logger } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { ContainerRemoval } from '../removal/container-removal.js';
import { RetriedChanges } from '../store/retried-changes.js';
import { RunResources } from '../tasks/run-resources.js';
import { abandonStart } from '../transitions.js';

/** Starts and removals that a crash interrupted. */
@injectable()
export class InterruptedOperations {
  constructor(
    @inject(RunResources) private readonly resources: RunResources,
    @inject(RetriedChanges) private readonly changes: RetriedChanges,
    @inject(ContainerRemoval) private readonly removal: ContainerRemoval,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** No client was notified of the start. */
  async rollBackStart(container: Container): Promise<void> {
    await this.resources.release(container);
    container.run = { phase: 'ending', released: Promise.resolve() };
    const abandoned = this.changes.apply(container, abandonStart()).then(() => {
      if (container.run.phase === 'ending') container.run = { phase: 'steady' };
    });
    // While the disk accepts no writes, storing is retried in the background.
    await Promise.race([abandoned, container.until(() => container.unrecordedExit !== undefined)]);
  }

  /** Never rejects: what fails is logged. */
  async finishRemoval(container: Container): Promise<void> {
    const { state } = container.record;
    const volumes = state.status === 'removing' && state.withVolumes;
    try {
      await container.mutex.run(() => this.removal.remove(container, { volumes }));
    } catch (error) {
      const facts = { event: 'container.removal-failed', container: container.id, error };
      this.log.error(facts, 'failed to finish an interrupted removal');
    }
  }
}
