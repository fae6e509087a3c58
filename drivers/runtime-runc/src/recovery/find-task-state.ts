import { readdir, readFile } from 'node:fs/promises';
import { inject, injectable } from '@gantry/core/driver';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import { Processes } from '@gantry/lib-linux/processes';
import { ifPresent } from '../if-present.js';
import { Layout } from '../layout.js';
import { isAlive } from '../process-identity.js';
import { isOfRuntime } from '../runtime/oci-runtime.js';
import type { TaskState } from '../task/task.js';
import { readExit, writeLostExit } from '../task/task-exit.js';
import type { TaskRecord } from '../task/task-record.js';
import { BootId } from '../tokens.js';

/** Finds out what has become of a task while no daemon ran. */
@injectable()
export class FindTaskState {
  constructor(
    @inject(Layout) private readonly layout: Layout,
    @inject(BootId) private readonly bootId: BootId,
    @inject(Processes.token) private readonly processes: Processes,
    @inject(Cgroups.token) private readonly cgroups: Cgroups,
  ) {}

  /** Records the exit of a task whose monitor could not. */
  async find(id: string, record: TaskRecord): Promise<TaskState> {
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
}
