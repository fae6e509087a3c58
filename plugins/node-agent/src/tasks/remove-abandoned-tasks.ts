import { inject, injectable, Logger } from '@gantry/core/driver';
import { TaskContainers } from '../containers/task-containers.js';
import { TaskDriver } from './task-driver.js';

/** Removes what tasks have left on a node that is in no swarm, because its leave was interrupted. */
@injectable()
export class RemoveAbandonedTasks {
  constructor(
    @inject(TaskContainers) private readonly containers: TaskContainers,
    @inject(TaskDriver) private readonly driver: TaskDriver,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** What cannot be removed is logged, and left to the operator. */
  async remove(): Promise<void> {
    await Promise.all(Array.from(this.containers.all(), ([task, container]) => this.#remove(task, container)));
  }

  async #remove(task: string, container: string): Promise<void> {
    try {
      await this.driver.stop(container, undefined);
      await this.driver.remove(task, container);
    } catch (err) {
      this.log.error({ event: 'agent.task-not-removed', task, container, err }, 'failed to remove an abandoned task');
    }
  }
}
