import type { AgentSession, AssignedTask } from '@gantry/services/service';
import { TaskWorker, type WorkerTools } from './task-worker.js';

/** The tasks of a node during one session. */
export class AgentRun {
  readonly #workers = new Map<string, TaskWorker>();
  readonly #session: AgentSession;
  #isAbandoned = false;

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
      this.#add(taskId, assigned.get(taskId), containerId);
    }
    this.update();
    for (const worker of this.#workers.values()) worker.notify();
  }

  /** Follows the assignments, unless the node has left: a change that was in progress then would start its tasks again. */
  update(): void {
    if (this.#isAbandoned) return;
    const assigned = new Map(this.#session.assignments().map((task) => [task.id, task]));
    for (const [id, task] of assigned) {
      const worker = this.#workers.get(id);
      if (worker !== undefined) worker.assign(task);
      else this.#add(id, task, undefined).notify();
    }
    for (const [id, worker] of this.#workers) if (!assigned.has(id)) worker.assign(undefined);
  }

  /** A container has changed. */
  notify(containerId: string): void {
    for (const worker of this.#workers.values()) if (worker.containerId === containerId) worker.notify();
  }

  /** All tasks end: the node has left the swarm. Resolves when nothing of them is left. */
  async abandon(): Promise<void> {
    this.#isAbandoned = true;
    const workers = [...this.#workers.values()];
    for (const worker of workers) worker.assign(undefined);
    await Promise.all(workers.map((worker) => worker.finished));
  }

  #add(taskId: string, task: AssignedTask | undefined, containerId: string | undefined): TaskWorker {
    const worker = new TaskWorker(taskId, task, containerId, this.tools);
    this.#workers.set(taskId, worker);
    void worker.finished.then(() => this.#workers.delete(taskId));
    return worker;
  }
}
