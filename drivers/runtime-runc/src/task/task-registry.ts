import { injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import type { Task } from './task.js';

/** The tasks of this driver. */
@injectable()
export class TaskRegistry {
  readonly #tasks = new Map<string, Task>();

  /** Finds a task that is not created yet, too. */
  find(id: string): Task | undefined {
    return this.#tasks.get(id);
  }

  /** @throws EngineError `not-found`, also for a task that is not created yet. */
  get(id: string): Task {
    const task = this.#tasks.get(id);
    if (task?.status === undefined) throw notFound(`No such task: ${id}`);
    return task;
  }

  all(): readonly Task[] {
    return [...this.#tasks.values()];
  }

  get isEmpty(): boolean {
    return this.#tasks.size === 0;
  }

  add(task: Task): void {
    this.#tasks.set(task.id, task);
  }

  remove(task: Task): void {
    if (this.#tasks.get(task.id) === task) this.#tasks.delete(task.id);
  }
}
