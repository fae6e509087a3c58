import type { TaskPreparation } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { Layout } from '../layout.js';
import { MemoryState } from '../memory-state.js';
import { LaunchMonitor } from './launch-monitor.js';
import { PlanTask } from './plan-task.js';
import { creating, Task } from './task.js';
import { TaskRegistry } from './task-registry.js';

/** Starts the monitors of tasks that are about to be created. */
@injectable()
export class PrepareMonitor {
  constructor(
    @inject(Layout) private readonly layout: Layout,
    @inject(TaskRegistry) private readonly registry: TaskRegistry,
    @inject(MemoryState) private readonly memory: MemoryState,
    @inject(PlanTask) private readonly planTask: PlanTask,
    @inject(LaunchMonitor) private readonly launchMonitor: LaunchMonitor,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * Where that fails nothing is left, and `create` reports why. A task that exists stays as it is. Does nothing while the runtimes
   * are being probed.
   */
  async prepare(preparation: TaskPreparation): Promise<void> {
    const { id } = preparation;
    if (!this.planTask.isReady) return;
    const request = this.planTask.monitor(preparation);
    if (this.registry.find(id) !== undefined) return;
    const { state, settle } = creating();
    const task = new Task(id, this.layout.task(id), state);
    this.registry.add(task);
    try {
      await this.memory.enter();
      const monitor = await this.launchMonitor.launch(request);
      crashPoint('runtime.prepare.launched');
      task.state = { status: 'prepared', monitor };
    } catch (error) {
      this.log.debug({ event: 'task.not-prepared', task: id, error }, 'failed to start a monitor early');
      this.registry.remove(task);
    } finally {
      settle();
    }
  }
}
