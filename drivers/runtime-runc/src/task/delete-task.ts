import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { DirectoryRemoval } from '../directory-removal.js';
import { CleanUpTask } from './clean-up-task.js';
import { EndTask } from './end-task.js';
import { RemoveBrokenTask } from './remove-broken-task.js';
import type { Task } from './task.js';
import { TaskRegistry } from './task-registry.js';
import { TaskWatcher } from './task-watcher.js';

/** Deletes tasks with everything of theirs. */
@injectable()
export class DeleteTask {
  constructor(
    @inject(TaskRegistry) private readonly registry: TaskRegistry,
    @inject(TaskWatcher) private readonly watcher: TaskWatcher,
    @inject(EndTask) private readonly endTask: EndTask,
    @inject(CleanUpTask) private readonly cleanUpTask: CleanUpTask,
    @inject(RemoveBrokenTask) private readonly removeBrokenTask: RemoveBrokenTask,
    @inject(DirectoryRemoval) private readonly removal: DirectoryRemoval,
  ) {}

  /** Absent: resolves. Rejects `conflict` for a task that runs, without force. Concurrent calls share one deletion. */
  async delete(id: string, force: boolean): Promise<void> {
    const task = this.registry.find(id);
    if (task === undefined) return;
    if (task.state.status === 'creating') await task.state.settled;
    if (this.registry.find(id) !== task) return;
    checkDeletable(task, force);
    task.deletion ??= this.#delete(task)
      .then(() => this.registry.remove(task))
      .finally(() => {
        task.deletion = undefined;
      });
    await task.deletion;
  }

  /** Removes the directory last: until then the next daemon finds what is left. */
  async #delete(task: Task): Promise<void> {
    if (task.isLiving) await this.endTask.kill(task);
    const { state } = task;
    if (state.status === 'exited') {
      // The clean-up began with the exit, and has usually finished. A failed one is retried once.
      await (state.cleanUp ?? Promise.reject()).catch(() => this.cleanUpTask.cleanUp(task.id, state.record));
      await this.endTask.waitForMonitor(task.id, state.record.monitor);
    } else {
      if (state.status === 'prepared') await state.monitor.abandon();
      await this.removeBrokenTask.remove(task.id);
    }
    crashPoint('runtime.delete.purged');
    this.watcher.unwatch(task);
    task.detach();
    await this.removal.remove(task.layout.directory);
  }
}

/** @throws EngineError `conflict` for a task that runs, without force. */
function checkDeletable({ id, isLiving, state: { status } }: Task, force: boolean): void {
  if (force || !isLiving || status === 'created') return;
  throw conflict(`Cannot delete container ${id}: it is ${status}. Stop it first, or use force`);
}
