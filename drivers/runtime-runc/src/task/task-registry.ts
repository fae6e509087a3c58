import type { TaskExit } from '@gantry/core/contracts';
import { messageOf, notFound } from '@gantry/core/errors';
import type { RuntimeContext } from '../context.js';
import { Listeners } from '../listeners.js';
import { signal } from '../process-identity.js';
import { purgeTask } from './delete-task.js';
import { SIGKILL } from './kill-task.js';
import type { Task } from './task.js';
import { readExit, takeOom, writeLostExit } from './task-exit.js';
import { watchTask } from './watch-task.js';

/** The tasks there are, and the watch over their ends. */
export class TaskRegistry {
  readonly exits: Listeners<TaskExit>;
  readonly memoryKills: Listeners<string>;
  readonly #tasks = new Map<string, Task>();

  constructor(private readonly context: RuntimeContext) {
    this.exits = new Listeners(context.log);
    this.memoryKills = new Listeners(context.log);
  }

  /** Undefined also while it is being made. */
  find(id: string): Task | undefined {
    return this.#tasks.get(id);
  }

  /** @throws EngineError `not-found`. */
  get(id: string): Task {
    const task = this.#tasks.get(id);
    if (task === undefined || task.state.status === 'creating') throw notFound(`No such task: ${id}`);
    return task;
  }

  all(): readonly Task[] {
    return [...this.#tasks.values()];
  }

  add(task: Task): void {
    this.#tasks.set(task.id, task);
  }

  remove(task: Task): void {
    if (this.#tasks.get(task.id) === task) this.#tasks.delete(task.id);
  }

  /**
   * Begins to watch over a living task; takes away at once what an ended one left.
   * Resolves when an exit from before the watch is known; never rejects. @throws when the host refuses the watch.
   */
  watch(task: Task): Promise<void> {
    const { record } = task;
    if (record === undefined) return Promise.resolve();
    if (task.state.status === 'exited') {
      this.#beginPurge(task);
      return Promise.resolve();
    }
    const { log, ports } = this.context;
    task.unwatch = watchTask(
      { layout: task.layout, monitor: record.monitor, watcher: ports.watcher, log },
      {
        onExitFile: () => void this.#look(task, false),
        onOomFile: () => void this.#inTurn(task, () => this.#tellMemoryKill(task)),
        onMonitorEnd: () => void this.#look(task, true),
      },
    );
    // What was written before the watch began.
    return this.#look(task, false);
  }

  /** Ends every watch. The tasks go on. */
  release(): void {
    for (const task of this.#tasks.values()) {
      task.unwatch?.();
      task.streams?.close();
    }
  }

  /** One look at a time, so that an exit is told once. */
  #look(task: Task, monitorHasEnded: boolean): Promise<void> {
    return this.#inTurn(task, () => this.#settle(task, monitorHasEnded));
  }

  #inTurn(task: Task, look: () => Promise<unknown>): Promise<void> {
    task.looks = task.looks
      .then(look)
      .then(() => undefined)
      .catch((error: unknown) => {
        const facts = { event: 'task.exit-unreadable', task: task.id, error: messageOf(error) };
        this.context.log.error(facts, 'cannot read the exit of a task');
      });
    return task.looks;
  }

  /** Makes the exit known if it is on disk; when the monitor has ended without one, puts it there. */
  async #settle(task: Task, monitorHasEnded: boolean): Promise<void> {
    if (monitorHasEnded) task.unwatch?.();
    if (!task.isLiving) return;
    const [found, ranOutOfMemory] = await Promise.all([readExit(task.id, task.layout), this.#tellMemoryKill(task)]);
    const known = found ?? (monitorHasEnded ? await this.#giveUp(task) : undefined);
    if (known === undefined) return;
    const { record, status } = task.living;
    let oomKilled = known.oomKilled || ranOutOfMemory;
    if (!oomKilled && known.exitCode !== 0) {
      // A monitor that hears of the end first does not look for the reason any more.
      const kills = await this.#countMemoryKills(task);
      oomKilled = kills > 0;
      if (oomKilled) this.#tellOfKills(task, kills);
    }
    const exit = { ...known, oomKilled };
    task.finish(record, exit);
    // Nobody waits for the end of what never began.
    if (status !== 'created' || task.deleting === undefined) this.exits.tell(exit);
    this.#beginPurge(task);
  }

  /** Without its monitor a task has nobody to read its output or to learn its exit code, so it is ended. */
  async #giveUp(task: Task): Promise<TaskExit | undefined> {
    const { record } = task.living;
    const group = await this.context.ports.cgroups.group(record.cgroup);
    signal(this.context.ports.processes, record.first, SIGKILL);
    await group.killAll().catch(() => undefined);
    await writeLostExit(task.layout, 'the monitor of the container was killed');
    return readExit(task.id, task.layout);
  }

  async #tellMemoryKill(task: Task): Promise<boolean> {
    const isNew = await takeOom(task.layout);
    if (isNew) this.#tellOfKills(task, await this.#countMemoryKills(task));
    return isNew;
  }

  /** A monitor may give its word twice for one kill. */
  #tellOfKills(task: Task, kills: number): void {
    if (task.toldKills > 0 && kills <= task.toldKills) return;
    task.toldKills = Math.max(kills, 1);
    this.memoryKills.tell(task.id);
  }

  async #countMemoryKills({ record }: Task): Promise<number> {
    if (record === undefined) return 0;
    const group = await this.context.ports.cgroups.group(record.cgroup);
    return group.memoryKills().catch(() => 0);
  }

  #beginPurge(task: Task): void {
    const { id, record } = task;
    if (record === undefined) return;
    task.purged = purgeTask(this.context, id, record);
    task.purged.catch((error: unknown) => {
      const facts = { event: 'task.purge-failed', task: id, error: messageOf(error) };
      this.context.log.warn(facts, 'cannot clean up after a task; its removal tries again');
    });
  }
}
