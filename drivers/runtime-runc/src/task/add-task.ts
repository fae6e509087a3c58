import type { TaskRequest } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { MemoryState } from '../memory-state.js';
import { CreateTask } from './create-task.js';
import type { WaitingMonitor } from './launch-monitor.js';
import { PlanTask, type TaskPlan } from './plan-task.js';
import { RollBackTask } from './roll-back-task.js';
import { creating, Task } from './task.js';
import { TaskRegistry } from './task-registry.js';
import { TaskWatcher } from './task-watcher.js';

interface Creation {
  readonly plan: TaskPlan;
  readonly waiting: WaitingMonitor | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Creates tasks, registers and watches them. */
@injectable()
export class AddTask {
  constructor(
    @inject(TaskRegistry) private readonly registry: TaskRegistry,
    @inject(TaskWatcher) private readonly watcher: TaskWatcher,
    @inject(MemoryState) private readonly memory: MemoryState,
    @inject(PlanTask) private readonly planTask: PlanTask,
    @inject(CreateTask) private readonly createTask: CreateTask,
    @inject(RollBackTask) private readonly rollBackTask: RollBackTask,
  ) {}

  /** Creates a task and starts to watch it; on rejection nothing of it is left, unless it was prepared. */
  async create(request: TaskRequest, signal?: AbortSignal): Promise<Task> {
    const { id } = request;
    if (!this.planTask.isReady) await this.planTask.ready();
    const plan = this.planTask.plan(request);
    const known = this.registry.find(id);
    const waiting = known?.state.status === 'prepared' ? known.state.monitor : undefined;
    if (known !== undefined && waiting === undefined) throw conflict(`task ${id} exists already`);
    const { state, settle } = creating();
    const task = known ?? new Task(id, plan.layout, state);
    task.state = state;
    this.registry.add(task);
    try {
      await this.#create(task, { plan, waiting, signal });
      return task;
    } finally {
      settle();
    }
  }

  async #create(task: Task, { plan, waiting, signal }: Creation): Promise<void> {
    try {
      await this.memory.enter();
      const record = await this.createTask.create(plan, waiting, signal);
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
