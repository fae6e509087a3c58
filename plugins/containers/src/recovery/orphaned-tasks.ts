import { inject, injectable, Logger } from '@gantry/core/driver';
import { ContainerStore } from '../store/container-store.js';
import { isForeignTask } from '../tasks/is-foreign-task.js';
import { isAlive } from '../transitions.js';
import type { FoundTask } from './task-inventory.js';

/** Tasks without a container, or whose exit is recorded while the task was not deleted. */
@injectable()
export class OrphanedTasks {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Deletes those of the tasks that are orphaned. Never rejects: what fails is logged. */
  async delete(tasks: Iterable<FoundTask>): Promise<void> {
    await Promise.all([...tasks].filter((task) => this.#isOrphaned(task)).map((task) => this.#delete(task)));
  }

  #isOrphaned({ status: { id } }: FoundTask): boolean {
    if (isForeignTask(id) || this.store.quarantined().includes(id)) return false;
    const state = this.store.byId(id)?.record.state;
    return state === undefined || !(isAlive(state) || state.status === 'starting');
  }

  async #delete({ runtime, status: { id } }: FoundTask): Promise<void> {
    await runtime.delete(id, { force: true }).catch((error: unknown) => {
      const facts = { event: 'container.task-not-deleted', container: id, error };
      this.log.error(facts, 'failed to delete an orphaned task');
    });
  }
}
