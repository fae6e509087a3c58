import type { OciResources } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { FreezeTask } from './freeze-task.js';
import { KillTask } from './kill-task.js';
import { TaskRegistry } from './task-registry.js';
import { UpdateTask } from './update-task.js';

/** Signals tasks, pauses them and changes their limits. */
@injectable()
export class TaskControl {
  constructor(
    @inject(TaskRegistry) private readonly registry: TaskRegistry,
    @inject(KillTask) private readonly killTask: KillTask,
    @inject(FreezeTask) private readonly freezeTask: FreezeTask,
    @inject(UpdateTask) private readonly updateTask: UpdateTask,
  ) {}

  async kill(id: string, signal: number, all: boolean): Promise<void> {
    await this.killTask.kill(this.registry.get(id), signal, all);
  }

  async pause(id: string): Promise<void> {
    await this.freezeTask.pause(this.registry.get(id));
  }

  async resume(id: string): Promise<void> {
    await this.freezeTask.resume(this.registry.get(id));
  }

  async update(id: string, resources: OciResources): Promise<void> {
    await this.updateTask.update(this.registry.get(id), resources);
  }
}
