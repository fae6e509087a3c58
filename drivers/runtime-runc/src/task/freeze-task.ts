import { conflict } from '@gantry/core/errors';
import type { Cgroup } from '@gantry/lib-linux/cgroups';
import type { RuntimeContext } from '../context.js';
import { withDeadline } from '../deadline.js';
import type { Task } from './task.js';

/** How long a freezer may take before it is asked anew, in ms. */
const patience = 250;

/** Stops every process of a running task. */
export async function pauseTask(context: RuntimeContext, task: Task): Promise<void> {
  const { record, status } = task.living;
  if (status === 'paused') throw conflict(`Container ${task.id} is already paused`);
  if (status === 'created') throw conflict(`Container ${task.id} is not running`);
  const group = await context.ports.cgroups.group(record.cgroup);
  await withDeadline(
    { who: 'the kernel', what: `pause ${task.id}`, milliseconds: context.config.deadlines.control },
    (signal) => freeze(group, signal),
  );
  task.become('paused');
}

/**
 * A version 1 freezer may stay half-way for ever when a process forks or starts a program at the wrong moment. Thawing
 * it, which an abort does, and beginning again helps.
 */
async function freeze(group: Cgroup, signal: AbortSignal): Promise<void> {
  for (;;) {
    const turn = AbortSignal.timeout(patience);
    try {
      await group.freeze({ signal: AbortSignal.any([signal, turn]) });
      return;
    } catch (error) {
      if (signal.aborted || !turn.aborted) throw error;
    }
  }
}

export async function resumeTask(context: RuntimeContext, task: Task): Promise<void> {
  const { record, status } = task.living;
  if (status !== 'paused') throw conflict(`Container ${task.id} is not paused`);
  const group = await context.ports.cgroups.group(record.cgroup);
  await group.thaw();
  task.become('running');
}
