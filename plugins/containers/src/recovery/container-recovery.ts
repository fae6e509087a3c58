import { inject, injectable } from '@gantry/core/driver';
import { ContainerStore } from '../store/container-store.js';
import { BootRestarts } from './boot-restarts.js';
import { OrphanedTasks } from './orphaned-tasks.js';
import { ResourceRecovery } from './resource-recovery.js';
import { RunReconciliation } from './run-reconciliation.js';
import { isLive, TaskInventory } from './task-inventory.js';

/** How many containers of an earlier daemon were found in which state. */
interface Recovered {
  readonly known: number;
  /** Still running. */
  readonly running: number;
  /** Exited meanwhile. */
  readonly exited: number;
  /** In the middle of a start or a removal. */
  readonly interrupted: number;
}

/** Brings the records of an earlier daemon and the tasks of the runtimes into agreement. */
@injectable()
export class ContainerRecovery {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(TaskInventory) private readonly inventory: TaskInventory,
    @inject(ResourceRecovery) private readonly resources: ResourceRecovery,
    @inject(RunReconciliation) private readonly runs: RunReconciliation,
    @inject(OrphanedTasks) private readonly orphans: OrphanedTasks,
    @inject(BootRestarts) private readonly restarts: BootRestarts,
  ) {}

  /**
   * Running containers are adopted undisturbed, exits are recorded with their own time and code, interrupted starts are
   * rolled back and interrupted removals finished. The runtimes' exits are subscribed to before this is called.
   */
  async recover(): Promise<Recovered> {
    const tasks = await this.inventory.list();
    const found = [...this.store.all()].map((container) => {
      const task = tasks.get(container.id);
      return { container, task, fate: this.runs.fateOf(container, task) };
    });
    const count = (...fates: readonly string[]) => found.filter(({ fate }) => fates.includes(fate)).length;
    const running = found.filter(({ fate }) => fate === 'running').map(({ container }) => container);
    const unreadable = this.store.quarantined().filter((id) => isLive(tasks.get(id)));
    await this.resources.restore(running, unreadable);
    await Promise.all([
      ...found.map(({ container, fate, task }) => this.runs.reconcile(container, fate, task)),
      this.orphans.delete(tasks.values()),
    ]);
    for (const { container } of found) this.restarts.removeAbandoned(container);
    // The exit handler does what is due for those that have just exited.
    for (const { container, fate } of found) if (fate !== 'exited') this.restarts.apply(container);
    const known = this.store.size;
    return { known, running: running.length, exited: count('exited'), interrupted: count('starting', 'removing') };
  }
}
