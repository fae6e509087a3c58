import { notFound } from '@gantry/core/errors';
import type { RuntimeContext } from '../context.js';
import { isAlive, signal } from '../process-identity.js';
import type { Task } from './task.js';

export const SIGKILL = 9;

/**
 * Signals the first process, or all of the task's. A frozen process takes a signal when it is thawed, which for
 * SIGKILL is at once.
 */
export async function killTask(context: RuntimeContext, task: Task, number: number, all: boolean): Promise<void> {
  const { record, status } = task.living;
  const { cgroups, processes } = context.ports;
  if (!isAlive(processes, record.first)) throw notFound(`Container ${task.id} is not running`);
  const group = all || (status === 'paused' && number === SIGKILL) ? await cgroups.group(record.cgroup) : undefined;
  if (all && group !== undefined) {
    for (const pid of await group.processes({ recursive: true })) processes.kill(pid, number);
  }
  // Outside its cgroup only if it moved itself; then it is still the task's first.
  if (!signal(processes, record.first, number) && !all) throw notFound(`Container ${task.id} is not running`);
  if (status === 'paused' && number === SIGKILL) await group?.thaw();
}
