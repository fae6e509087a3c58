import { basename } from 'node:path';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import { KernelLog } from '@gantry/lib-linux/kernel-log';
import type { Task } from './task.js';

/** Counts the processes of tasks that the kernel killed because memory ran out. */
@injectable()
export class OomKills {
  constructor(
    @inject(Cgroups.token) private readonly cgroups: Cgroups,
    @inject(KernelLog.token) private readonly kernelLog: KernelLog,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * By the counter of the cgroup. systemd removes that of a scope as soon as its last process has exited, and with it the
   * counter; then by the kernel's log. 0 when neither can be read.
   */
  async count({ id, record }: Task): Promise<number> {
    if (record === undefined) return 0;
    const group = await this.cgroups.group(record.cgroup);
    const counted = await group.memoryKills().catch(() => undefined);
    if (counted !== undefined || !record.cgroup.endsWith('.scope')) return counted ?? 0;
    try {
      return this.#countLogged(basename(record.cgroup), record.first.pid);
    } catch (err) {
      const facts = { event: 'task.oom-kills-unknown', task: id, err };
      this.log.warn(facts, 'the cgroup is gone and the kernel log cannot be read: OOM kills are unknown');
      return 0;
    }
  }

  /** Processes of an earlier run, in a scope of the same name, have lower numbers than the first one of this run. */
  #countLogged(scope: string, firstPid: number): number {
    const kills = this.kernelLog.memoryKills();
    return kills.filter(({ cgroup, pid }) => cgroup.split('/').includes(scope) && pid >= firstPid).length;
  }
}
