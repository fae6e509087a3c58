import type { TaskRequest, TaskStatus } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { MemoryState } from '../memory-state.js';
import { LazyCatalog } from '../runtime/lazy-catalog.js';
import { DeleteTask } from './delete-task.js';
import { PrepareTask } from './prepare-task.js';
import { StartTask } from './start-task.js';
import { TaskRegistry } from './task-registry.js';

/** Creates, starts and deletes tasks, and the directory in memory with the first and the last of them. */
@injectable()
export class TaskLifecycle {
  constructor(
    @inject(LazyCatalog) private readonly catalog: LazyCatalog,
    @inject(TaskRegistry) private readonly registry: TaskRegistry,
    @inject(MemoryState) private readonly memory: MemoryState,
    @inject(PrepareTask) private readonly prepareTask: PrepareTask,
    @inject(StartTask) private readonly startTask: StartTask,
    @inject(DeleteTask) private readonly deleteTask: DeleteTask,
  ) {}

  async create(request: TaskRequest, signal: AbortSignal | undefined): Promise<TaskStatus> {
    if (!this.catalog.isReady) await this.catalog.ready();
    try {
      return (await this.prepareTask.prepare(request, signal)).knownStatus;
    } catch (error) {
      await this.memory.leave(() => this.registry.isEmpty);
      throw error;
    }
  }

  async start(id: string): Promise<void> {
    await this.startTask.start(this.registry.get(id));
  }

  async delete(id: string, force: boolean): Promise<void> {
    await this.deleteTask.delete(id, force);
    await this.memory.leave(() => this.registry.isEmpty);
  }
}
