import type { AgentSession } from '@gantry/services/service';
import { TaskWorker, type WorkerTools } from './task-worker.js';

/** The tasks of a node during one session. */
export class AgentRun {
  readonly #workers = new Map<string, TaskWorker>();
  readonly #session: AgentSession;

  constructor(private readonly tools: WorkerTools) {
    this.#session = tools.session;
  }

  /**
   * Adopts what an earlier agent has left.
   * @param containers of tasks, by task id: those of tasks that are not the node's any more are removed.
   */
  begin(containers: ReadonlyMap<string, string>): void {
    const assigned = new Map(this.#session.assignments().map((task) => [task.id, task]));
    for (const [taskId, containerId] of containers) {
      this.#workers.set(taskId, new TaskWorker(taskId, assigned.get(taskId), containerId, this.tools));
    }
    this.update();
    for (const worker of this.#workers.values()) worker.notify();
  }

  /** Follows the assignments. */
  update(): void {
    const assigned = new Map(this.#session.assignments().map((task) => [task.id, task]));
    for (const [id, task] of assigned) {
      const worker = this.#workers.get(id);
      if (worker !== undefined) worker.assign(task);
      else {
        const created = new TaskWorker(id, task, undefined, this.tools);
        this.#workers.set(id, created);
        created.notify();
      }
    }
    for (const [id, worker] of this.#workers) {
      if (worker.isFinished) this.#workers.delete(id);
      else if (!assigned.has(id)) worker.assign(undefined);
    }
  }

  /** A container has changed. */
  notify(containerId: string): void {
    for (const worker of this.#workers.values()) if (worker.containerId === containerId) worker.notify();
  }

  /** All tasks end: the node has left the swarm. */
  abandon(): void {
    for (const worker of this.#workers.values()) worker.assign(undefined);
  }

  get isEmpty(): boolean {
    for (const [id, worker] of this.#workers) if (worker.isFinished) this.#workers.delete(id);
    return this.#workers.size === 0;
  }
}
