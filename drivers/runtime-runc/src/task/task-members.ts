import { readdir, readlink } from 'node:fs/promises';
import { inject, injectable } from '@gantry/core/driver';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import type { TaskRecord } from './task-record.js';

/** The processes of tasks. */
@injectable()
export class TaskMembers {
  constructor(@inject(Cgroups.token) private readonly cgroups: Cgroups) {}

  /** Those of its cgroup; where tasks have none, those of its PID namespace, which is the task's own there. */
  async list({ cgroup, first }: Pick<TaskRecord, 'cgroup' | 'first'>): Promise<readonly number[]> {
    const group = await this.cgroups.group(cgroup);
    return group.directories().length > 0 ? group.processes({ recursive: true }) : processesOfNamespace(first.pid);
  }
}

/** The processes in the PID namespace of one. Gone: none. */
async function processesOfNamespace(pid: number): Promise<readonly number[]> {
  const wanted = await namespaceOf(pid);
  if (wanted === undefined) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const namespaces = await Promise.all(pids.map(namespaceOf));
  return pids.filter((_, index) => namespaces[index] === wanted);
}

/** Processes of other users, which are none of the task's, show no namespaces. */
const namespaceOf = (pid: number): Promise<string | undefined> =>
  readlink(`/proc/${pid}/ns/pid`).catch(() => undefined);
