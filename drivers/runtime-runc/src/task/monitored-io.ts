import type { TaskIo, TaskStreams, TerminalSize } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { AttachTask } from './attach-task.js';
import { resizeTask } from './resize-task.js';
import { RotateSpool } from './rotate-spool.js';
import { TaskRegistry } from './task-registry.js';

/** The streams of tasks, which their monitors hold. */
@injectable()
export class MonitoredIo implements TaskIo {
  constructor(
    @inject(TaskRegistry) private readonly registry: TaskRegistry,
    @inject(AttachTask) private readonly attachTask: AttachTask,
    @inject(RotateSpool) private readonly spools: RotateSpool,
  ) {}

  async attach(id: string): Promise<TaskStreams> {
    return this.attachTask.attach(this.registry.get(id));
  }

  async resize(id: string, size: TerminalSize): Promise<void> {
    await resizeTask(this.registry.get(id), size);
  }

  async rotateSpool(id: string): Promise<string | undefined> {
    return this.spools.rotate(this.registry.get(id));
  }
}
