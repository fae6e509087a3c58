import { inject, injectable } from '@gantry/core/driver';
import { conflict, notImplemented } from '@gantry/core/errors';
import { type Cgroup, Cgroups } from '@gantry/lib-linux/cgroups';
import { OperationDeadlines } from '../operation-deadlines.js';
import type { Task } from './task.js';

/** How long one attempt of a freezer may take, in ms. */
const attemptTimeout = 250;

/** Pauses and resumes tasks with the cgroup freezer. */
@injectable()
export class FreezeTask {
  constructor(
    @inject(Cgroups.token) private readonly cgroups: Cgroups,
    @inject(OperationDeadlines) private readonly deadlines: OperationDeadlines,
  ) {}

  /** Stops every process of a running task. */
  async pause(task: Task): Promise<void> {
    const { record, status } = task.living;
    if ((await this.cgroups.layout()).mode === 'none') {
      throw notImplemented(`cannot pause container ${task.id}: the engine has no cgroups on this host`);
    }
    if (status === 'paused') throw conflict(`Container ${task.id} is already paused`);
    if (status === 'created') throw conflict(`Container ${task.id} is not running`);
    const group = await this.cgroups.group(record.cgroup);
    await this.deadlines.run({ deadline: 'control', who: 'the kernel', what: `pause ${task.id}` }, (signal) =>
      freeze(group, signal),
    );
    task.become('paused');
  }

  async resume(task: Task): Promise<void> {
    const { record, status } = task.living;
    if (status !== 'paused') throw conflict(`Container ${task.id} is not paused`);
    const group = await this.cgroups.group(record.cgroup);
    await group.thaw();
    task.become('running');
  }
}

/**
 * A version 1 freezer may stay in FREEZING for ever when a process forks or executes a program at the wrong moment.
 * Thawing the cgroup, which an abort does, and freezing it again helps.
 */
async function freeze(group: Cgroup, signal: AbortSignal): Promise<void> {
  for (;;) {
    const attempt = AbortSignal.timeout(attemptTimeout);
    try {
      await group.freeze({ signal: AbortSignal.any([signal, attempt]) });
      return;
    } catch (error) {
      if (signal.aborted || !attempt.aborted) throw error;
    }
  }
}
