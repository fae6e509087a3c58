import type { TaskRequest } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { MemoryState } from '../memory-state.js';
import { CreateTask } from './create-task.js';
import { PlanTask, type TaskPlan } from './plan-task.js';
import { RollBackTask } from './roll-back-task.js';
import { Task } from './task.js';
import { TaskRegistry } from './task-registry.js';
import { TaskWatcher } from './task-watcher.js';

/** Creates tasks and watches them. */
@injectable()
export class PrepareTask {
  constructor(
    @inject(TaskRegistry) private readonly registry: TaskRegistry,
    @inject(TaskWatcher) private readonly watcher: TaskWatcher,
    @inject(MemoryState) private readonly memory: MemoryState,
    @inject(PlanTask) private readonly planTask: PlanTask,
    @inject(CreateTask) private readonly createTask: CreateTask,
    @inject(RollBackTask) private readonly rollBackTask: RollBackTask,
  ) {}

  /** Creates a task and starts to watch it; on rejection nothing of it is left. */
  async prepare(request: TaskRequest, signal?: AbortSignal): Promise<Task> {
    const { id } = request;
    const plan = this.planTask.plan(request);
    if (this.registry.find(id) !== undefined) throw conflict(`task ${id} exists already`);
    let settle = (): void => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const task = new Task(id, plan.layout, { status: 'creating', settled });
    this.registry.add(task);
    try {
      await this.#create(task, plan, signal);
      return task;
    } finally {
      settle();
    }
  }

  async #create(task: Task, plan: TaskPlan, signal?: AbortSignal): Promise<void> {
    try {
      await this.memory.enter();
      const record = await this.createTask.create(plan, signal);
      task.state = { status: 'created', record };
      // An exit that has already happened is not worth waiting for.
      void this.watcher.watch(task);
    } catch (error) {
      this.watcher.unwatch(task);
      await this.rollBackTask.rollBack(task, plan, error);
      throw error;
    }
  }
}
