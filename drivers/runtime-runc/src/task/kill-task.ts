import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import { Processes } from '@gantry/lib-linux/processes';
import { isAlive, SIGKILL, signal } from '../process-identity.js';
import type { Task } from './task.js';
import { TaskMembers } from './task-members.js';

/** Sends signals to tasks. */
@injectable()
export class KillTask {
  constructor(
    @inject(Cgroups.token) private readonly cgroups: Cgroups,
    @inject(TaskMembers) private readonly members: TaskMembers,
    @inject(Processes.token) private readonly processes: Processes,
  ) {}

  /**
   * Signals the first process, or all of the task's. A frozen process receives a signal when it is thawed, which for
   * SIGKILL is at once.
   */
  async kill(task: Task, number: number, all: boolean): Promise<void> {
    const { record, status } = task.living;
    if (!isAlive(this.processes, record.first)) throw notFound(`Container ${task.id} is not running`);
    const mustThaw = status === 'paused' && number === SIGKILL;
    if (all) for (const pid of await this.members.list(record)) this.processes.kill(pid, number);
    // It is outside its cgroup only if it moved itself, and still the task's first process.
    if (!signal(this.processes, record.first, number) && !all) throw notFound(`Container ${task.id} is not running`);
    if (mustThaw) await (await this.cgroups.group(record.cgroup)).thaw();
  }
}
