import { inject, injectable } from '@gantry/core/driver';
import { OperationDeadlines } from '../operation-deadlines.js';
import type { TaskRecord } from './task-record.js';
import { TaskResources } from './task-resources.js';

/** Cleans up after a task that has exited. */
@injectable()
export class CleanUpTask {
  constructor(
    @inject(OperationDeadlines) private readonly deadlines: OperationDeadlines,
    @inject(TaskResources) private readonly resources: TaskResources,
  ) {}

  /** Removes everything but the task's directory, which holds its exit. */
  cleanUp(id: string, { runtime, cgroup, hooks }: TaskRecord): Promise<void> {
    return this.deadlines.run({ deadline: 'exit', who: 'the kernel', what: `clean up after ${id}` }, (signal) =>
      this.resources.remove({ id, runtime, cgroup, byRuntime: hooks.poststop, signal }),
    );
  }
}
