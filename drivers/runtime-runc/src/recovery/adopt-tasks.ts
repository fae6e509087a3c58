import { type DriverLifecycle, inject, injectable, Lifetime } from '@gantry/core/driver';
import { ParentCgroup } from '../cgroups/parent-cgroup.js';
import { MemoryState } from '../memory-state.js';
import { TaskRegistry } from '../task/task-registry.js';
import { TaskWatcher } from '../task/task-watcher.js';
import { RecoverTasks } from './recover-tasks.js';

/** Adopts the tasks of an earlier daemon at the start, and leaves them running at the end. */
@injectable()
export class AdoptTasks implements DriverLifecycle {
  constructor(
    @inject(MemoryState) private readonly memory: MemoryState,
    @inject(RecoverTasks) private readonly recoverTasks: RecoverTasks,
    @inject(TaskRegistry) private readonly registry: TaskRegistry,
    @inject(TaskWatcher) private readonly watcher: TaskWatcher,
    @inject(ParentCgroup) private readonly parentCgroup: ParentCgroup,
    @inject(Lifetime) lifetime: Lifetime,
  ) {
    lifetime.add(() => this.#detach());
  }

  async start(): Promise<void> {
    await this.memory.open();
    const found = await this.recoverTasks.recover();
    for (const task of found) this.registry.add(task);
    await Promise.all(found.map((task) => this.watcher.watch(task)));
  }

  async stop(): Promise<void> {
    await this.memory.leave(() => this.registry.isEmpty);
    if (this.registry.isEmpty) await this.parentCgroup.remove();
  }

  /** Closes everything that is open. Tasks continue; the next daemon removes those that are not created. */
  async #detach(): Promise<void> {
    this.watcher.release();
    for (const task of this.registry.all()) {
      task.detach();
      if (task.state.status === 'prepared') await task.state.monitor.abandon();
    }
  }
}
