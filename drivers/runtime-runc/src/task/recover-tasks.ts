import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import { Processes } from '@gantry/lib-linux/processes';
import { DirectoryRemoval } from '../directory-removal.js';
import { ifPresent } from '../if-present.js';
import { Layout } from '../layout.js';
import { readPid } from '../monitor/monitor-launcher.js';
import { processesOfBundle } from '../monitor/processes-of-bundle.js';
import { isAlive, SIGKILL } from '../process-identity.js';
import { isOfRuntime } from '../runtime/oci-runtime.js';
import { BootId } from '../tokens.js';
import { RemoveBrokenTask } from './remove-broken-task.js';
import { Task, type TaskState } from './task.js';
import { readExit, writeLostExit } from './task-exit.js';
import { readRecord, type TaskRecord } from './task-record.js';

/** Finds the tasks of earlier daemons. */
@injectable()
export class RecoverTasks {
  constructor(
    @inject(Layout) private readonly layout: Layout,
    @inject(BootId) private readonly bootId: BootId,
    @inject(Processes.token) private readonly processes: Processes,
    @inject(Cgroups.token) private readonly cgroups: Cgroups,
    @inject(RemoveBrokenTask) private readonly removeBrokenTask: RemoveBrokenTask,
    @inject(DirectoryRemoval) private readonly removal: DirectoryRemoval,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** The tasks in their present states. Nothing watches them yet. */
  async recover(): Promise<readonly Task[]> {
    const { layout } = this;
    // A terminal that was being passed on when the daemon died is lost.
    await this.#attempt(layout.consoles, () => rm(layout.consoles, { recursive: true, force: true }));
    const ids = await readdir(layout.tasks);
    await this.#removeOrphans(new Set(ids));
    return Promise.all(ids.map((id) => this.#recoverOrMarkBroken(id)));
  }

  /** Removes runtime state without a task: its removal was interrupted. */
  async #removeOrphans(ids: ReadonlySet<string>): Promise<void> {
    for (const id of await readdir(this.layout.runtimeRoot)) {
      if (!ids.has(id)) await this.#attempt(id, () => this.removeBrokenTask.remove(id));
    }
  }

  /** Logs a failure and goes on: what cannot be read or removed must not prevent the start. */
  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.log.warn({ event: 'task.orphan', what, error }, 'failed to remove an orphan');
    }
  }

  async #recoverOrMarkBroken(id: string): Promise<Task> {
    try {
      return await this.#recover(id);
    } catch (error) {
      const reason = `its record cannot be read: ${messageOf(error)}`;
      this.log.error({ event: 'task.unreadable', task: id, error }, 'task cannot be recovered');
      return new Task(id, this.layout.task(id), { status: 'broken', reason });
    }
  }

  async #recover(id: string): Promise<Task> {
    const layout = this.layout.task(id);
    const record = await readRecord(layout);
    if (record === undefined) {
      // A monitor or runtime that is still creating it must not get any further.
      for (const pid of await processesOfBundle(layout.directory)) this.processes.kill(pid, SIGKILL);
      return new Task(id, layout, { status: 'broken', reason: 'its creation was interrupted' });
    }
    const task = new Task(id, layout, await this.#stateOf(id, record));
    await this.#attempt(task.layout.execs, () => this.#removeEndedExecs(task));
    return task;
  }

  async #stateOf(id: string, record: TaskRecord): Promise<TaskState> {
    const layout = this.layout.task(id);
    const isOfThisBoot = record.bootId === this.bootId;
    // Checked before the exit is read: a monitor that has exited has written what it was to write.
    const isWatched = isOfThisBoot && isAlive(this.processes, record.monitor);
    const exit = await readExit(id, layout);
    if (exit !== undefined) return { status: 'exited', record, exit };
    if (!isWatched) {
      const reason = isOfThisBoot ? 'the monitor of the container was killed' : 'the host was started again';
      await writeLostExit(layout, reason);
      const lost = await readExit(id, layout);
      if (lost !== undefined) return { status: 'exited', record, exit: lost };
    }
    if (await this.#isWaiting(id, record)) return { status: 'created', record };
    const isFrozen = await (await this.cgroups.group(record.cgroup)).isFrozen().catch(() => false);
    return { status: isFrozen ? 'paused' : 'running', record };
  }

  /** Whether the first process has not been started: the FIFO exists and the process still is the runtime. */
  async #isWaiting(id: string, record: TaskRecord): Promise<boolean> {
    const names = (await ifPresent(readdir(this.layout.task(id).runtimeState))) ?? [];
    if (!names.includes('exec.fifo')) return false;
    const commandLine = (await ifPresent(readFile(`/proc/${record.first.pid}/cmdline`, 'utf8'))) ?? '';
    return record.runtime.kind === 'other' || commandLine === '' || isOfRuntime(commandLine, record.runtime);
  }

  /** Removes the files of ended execs of an earlier daemon. Those that run keep theirs until the task is deleted. */
  async #removeEndedExecs(task: Task): Promise<void> {
    const { execs } = task.layout;
    for (const name of (await ifPresent(readdir(execs))) ?? []) {
      const monitor = await readPid(join(execs, name, 'monitor.pid'));
      const isRunning = monitor !== undefined && this.processes.isAlive(monitor);
      if (!isRunning) await this.removal.remove(join(execs, name));
    }
  }
}
