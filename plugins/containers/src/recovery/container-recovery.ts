import { inject, injectable } from '@gantry/core/driver';
import { ContainerStore } from '../store/container-store.js';
import { isAlive } from '../transitions.js';
import { BootRestarts } from './boot-restarts.js';
import { InterruptedOperations } from './interrupted-operations.js';
import { MissedExits } from './missed-exits.js';
import { OrphanedTasks } from './orphaned-tasks.js';
import { ResourceRecovery } from './resource-recovery.js';
import { RunAdoption } from './run-adoption.js';
import { isLive, TaskInventory } from './task-inventory.js';

/** How many containers of an earlier daemon were found in which state. */
interface Recovered {
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
    @inject(RunAdoption) private readonly adoption: RunAdoption,
    @inject(MissedExits) private readonly missedExits: MissedExits,
    @inject(InterruptedOperations) private readonly interrupted: InterruptedOperations,
    @inject(OrphanedTasks) private readonly orphans: OrphanedTasks,
    @inject(BootRestarts) private readonly restarts: BootRestarts,
  ) {}

  /**
   * Running containers are adopted undisturbed, exits are recorded with their own time and code, interrupted starts are
   * rolled back and interrupted removals finished. The runtimes' exits are subscribed to before this is called.
   */
  async recover(): Promise<Recovered> {
    const tasks = await this.inventory.list();
    const all = [...this.store.all()];
    const alive = all.filter(({ record }) => isAlive(record.state));
    const running = alive.filter(({ id }) => isLive(tasks.get(id)));
    const exited = alive.filter(({ id }) => !isLive(tasks.get(id)));
    const starting = all.filter(({ record }) => record.state.status === 'starting');
    const removing = all.filter(({ record }) => record.state.status === 'removing');
    const unreadable = this.store.quarantined().filter((id) => isLive(tasks.get(id)));
    await this.resources.restore(running, unreadable);
    await Promise.all([
      ...running.map((container) => this.adoption.adopt(container, tasks.get(container.id))),
      ...exited.map((container) => this.missedExits.handle(container, tasks.get(container.id))),
      ...starting.map((container) => this.interrupted.rollBackStart(container)),
      ...removing.map((container) => this.interrupted.finishRemoval(container)),
      this.orphans.delete(tasks.values()),
    ]);
    for (const container of all) this.restarts.removeAbandoned(container);
    // The exit handler does what is due for those that have just exited.
    for (const container of all) if (!exited.includes(container)) this.restarts.apply(container);
    return { running: running.length, exited: exited.length, interrupted: starting.length + removing.length };
  }
}
