import { conflict } from '@gantry/core/errors';
import type { RuntimeContext } from '../context.js';
import { withDeadline } from '../deadline.js';
import type { Task } from './task.js';

/** Stops every process of a running task. */
export async function pauseTask(context: RuntimeContext, task: Task): Promise<void> {
  const { record, status } = task.living;
  if (status === 'paused') throw conflict(`Container ${task.id} is already paused`);
  if (status === 'created') throw conflict(`Container ${task.id} is not running`);
  const group = await context.ports.cgroups.group(record.cgroup);
  await withDeadline(
    { who: 'the kernel', what: `pause ${task.id}`, milliseconds: context.config.deadlines.control },
    (signal) => group.freeze({ signal }),
  );
  task.become('paused');
}

export async function resumeTask(context: RuntimeContext, task: Task): Promise<void> {
  const { record, status } = task.living;
  if (status !== 'paused') throw conflict(`Container ${task.id} is not paused`);
  const group = await context.ports.cgroups.group(record.cgroup);
  await group.thaw();
  task.become('running');
}
