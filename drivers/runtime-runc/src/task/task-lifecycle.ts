import type { TaskPreparation, TaskRequest, TaskStatus } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { MemoryState } from '../memory-state.js';
import { AddTask } from './add-task.js';
import { DeleteTask } from './delete-task.js';
import { PrepareMonitor } from './prepare-monitor.js';
import { StartTask } from './start-task.js';
import { TaskRegistry } from './task-registry.js';

/** Creates, starts and deletes tasks, and the directory in memory with the first and the last of them. */
@injectable()
export class TaskLifecycle {
  constructor(
    @inject(TaskRegistry) private readonly registry: TaskRegistry,
    @inject(MemoryState) private readonly memory: MemoryState,
    @inject(PrepareMonitor) private readonly prepareMonitor: PrepareMonitor,
    @inject(AddTask) private readonly addTask: AddTask,
    @inject(StartTask) private readonly startTask: StartTask,
    @inject(DeleteTask) private readonly deleteTask: DeleteTask,
  ) {}

  async prepare(preparation: TaskPreparation): Promise<void> {
    await this.prepareMonitor.prepare(preparation);
    await this.memory.leave(() => this.registry.isEmpty);
  }

  async create(request: TaskRequest, signal: AbortSignal | undefined): Promise<TaskStatus> {
    try {
      return (await this.addTask.create(request, signal)).knownStatus;
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
