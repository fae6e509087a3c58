import type { TaskExit } from '@gantry/core/contracts';
import { inject, injectable, KeyedMutex, Logger } from '@gantry/core/driver';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import { Processes } from '@gantry/lib-linux/processes';
import { Watcher } from '@gantry/lib-linux/watch';
import { ListenerSet } from '../listener-set.js';
import { SIGKILL, signal } from '../process-identity.js';
import { CleanUpTask } from './clean-up-task.js';
import { OomKills } from './oom-kills.js';
import type { Task } from './task.js';
import { readExit, takeOom, writeLostExit } from './task-exit.js';
import { watchMonitor } from './watch-monitor.js';

/** Watches the monitors of tasks, and publishes exits and out-of-memory kills. */
@injectable()
export class TaskWatcher {
  readonly exits: ListenerSet<TaskExit>;
  readonly oomKills: ListenerSet<string>;
  readonly #watches = new Map<Task, () => void>();
  /** One check of a task at a time, so that an exit is published once. */
  readonly #checks = new KeyedMutex();

  constructor(
    @inject(Watcher.token) private readonly watcher: Watcher,
    @inject(Cgroups.token) private readonly cgroups: Cgroups,
    @inject(Processes.token) private readonly processes: Processes,
    @inject(CleanUpTask) private readonly cleanUpTask: CleanUpTask,
    @inject(OomKills) private readonly kills: OomKills,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.exits = new ListenerSet(log);
    this.oomKills = new ListenerSet(log);
  }

  /**
   * Starts to watch a living task; begins at once to clean up one that has exited. Resolves when an exit from before the
   * watch has been processed; never rejects. @throws when the host refuses the watch.
   */
  watch(task: Task): Promise<void> {
    const { record } = task;
    if (record === undefined) return Promise.resolve();
    if (task.state.status === 'exited') {
      this.#cleanUp(task);
      return Promise.resolve();
    }
    const stop = watchMonitor(
      { layout: task.layout, monitor: record.monitor, watcher: this.watcher, log: this.log },
      {
        onExitFile: () => void this.#check(task, false),
        onOomFile: () => void this.#inTurn(task, () => this.#publishOomKill(task)),
        onMonitorExit: () => void this.#check(task, true),
      },
    );
    this.#watches.set(task, stop);
    // Files written before the watch began.
    return this.#check(task, false);
  }

  unwatch(task: Task): void {
    this.#watches.get(task)?.();
    this.#watches.delete(task);
  }

  /** Ends every watch. The tasks go on. */
  release(): void {
    for (const task of [...this.#watches.keys()]) this.unwatch(task);
  }

  #check(task: Task, monitorHasExited: boolean): Promise<void> {
    return this.#inTurn(task, () => this.#processExit(task, monitorHasExited));
  }

  #inTurn(task: Task, work: () => Promise<unknown>): Promise<void> {
    return this.#checks.run(task.id, work).then(
      () => undefined,
      (error: unknown) => {
        this.log.error({ event: 'task.exit-unreadable', task: task.id, error }, 'failed to read the exit of a task');
      },
    );
  }

  /** Publishes the exit if it is on disk; if the monitor exited without writing one, writes a lost exit first. */
  async #processExit(task: Task, monitorHasExited: boolean): Promise<void> {
    if (monitorHasExited) this.unwatch(task);
    if (!task.isLiving) return;
    const [found, ranOutOfMemory] = await Promise.all([readExit(task.id, task.layout), this.#publishOomKill(task)]);
    const known = found ?? (monitorHasExited ? await this.#killWithoutMonitor(task) : undefined);
    if (known === undefined) return;
    const { record, status } = task.living;
    let oomKilled = known.oomKilled || ranOutOfMemory;
    if (!oomKilled && known.exitCode !== 0) {
      // A monitor that notices the exit first does not look for the reason any more.
      const kills = await this.kills.count(task);
      oomKilled = kills > 0;
      if (oomKilled) this.#publishKills(task, kills);
    }
    const exit = { ...known, oomKilled };
    task.finish(record, exit);
    // A task deleted before its start has no exit to publish.
    if (status !== 'created' || task.deletion === undefined) this.exits.notify(exit);
    this.#cleanUp(task);
  }

  /** Without its monitor nothing reads a task's output or learns its exit code, so the task is killed. */
  async #killWithoutMonitor(task: Task): Promise<TaskExit | undefined> {
    const { record } = task.living;
    const group = await this.cgroups.group(record.cgroup);
    signal(this.processes, record.first, SIGKILL);
    await group.killAll().catch(() => undefined);
    await writeLostExit(task.layout, 'the monitor of the container was killed');
    return readExit(task.id, task.layout);
  }

  async #publishOomKill(task: Task): Promise<boolean> {
    const isNew = await takeOom(task.layout);
    if (isNew) this.#publishKills(task, await this.kills.count(task));
    return isNew;
  }

  /** A monitor may report one kill twice. */
  #publishKills(task: Task, kills: number): void {
    if (task.reportedOomKills > 0 && kills <= task.reportedOomKills) return;
    task.reportedOomKills = Math.max(kills, 1);
    this.oomKills.notify(task.id);
  }

  #cleanUp(task: Task): void {
    const { id, state } = task;
    if (state.status !== 'exited') return;
    const cleanUp = this.cleanUpTask.cleanUp(id, state.record);
    task.state = { ...state, cleanUp };
    cleanUp.catch((error: unknown) => {
      const facts = { event: 'task.clean-up-failed', task: id, error };
      this.log.warn(facts, 'failed to clean up after a task; its removal retries');
    });
  }
}
