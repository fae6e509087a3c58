import { TaskStartError } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { DirectoryRemoval } from '../directory-removal.js';
import { OperationDeadlines } from '../operation-deadlines.js';
import type { TaskPlan } from './plan-task.js';
import { RemoveBrokenTask } from './remove-broken-task.js';
import type { Task } from './task.js';
import { TaskRegistry } from './task-registry.js';
import { TaskResources } from './task-resources.js';

/** Rolls back the creation of tasks that failed. */
@injectable()
export class RollBackTask {
  constructor(
    @inject(TaskRegistry) private readonly registry: TaskRegistry,
    @inject(OperationDeadlines) private readonly deadlines: OperationDeadlines,
    @inject(TaskResources) private readonly resources: TaskResources,
    @inject(RemoveBrokenTask) private readonly removeBrokenTask: RemoveBrokenTask,
    @inject(DirectoryRemoval) private readonly removal: DirectoryRemoval,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Removes the task, or leaves it broken when that fails. Never rejects. */
  async rollBack(task: Task, plan: TaskPlan, cause: unknown): Promise<void> {
    try {
      if (cause instanceof TaskStartError) await this.#removeRefused(plan);
      else await this.removeBrokenTask.remove(task.id, plan.cgroup);
      await this.removal.remove(task.layout.directory);
      this.registry.remove(task);
    } catch (error) {
      const reason = `its failed creation could not be rolled back: ${messageOf(error)}`;
      task.state = { status: 'broken', reason };
      this.log.warn({ event: 'task.rollback-failed', task: task.id, error }, 'failed to roll back a creation');
    }
  }

  /** The runtime has answered, so it does not go on, and it has cleaned up most by itself. */
  #removeRefused({ request: { id }, runtime, cgroup }: TaskPlan): Promise<void> {
    return this.deadlines.run({ deadline: 'exit', who: 'the kernel', what: `clean up after ${id}` }, (signal) =>
      this.resources.remove({ id, runtime, cgroup, byRuntime: false, signal }),
    );
  }
}
