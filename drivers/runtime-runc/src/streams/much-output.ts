import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { TaskRequest } from '@gantry/core/contracts';
import type { Ports } from '../ports.js';
import type { TaskRecord } from '../task/task-record.js';

/**
 * Bytes that a pipe to a monitor holds. With the kernel's 64 KiB, a process that writes much and its monitor wait for
 * each other thousands of times a second, and the scheduler finds no moment to put one of them on another processor.
 */
const wide = 512 * 1024;

/**
 * How many tasks may have such pipes at a time. The kernel counts what all pipes of a user may hold, those of processes
 * in containers too, and gives new ones 8 KiB beyond 64 MiB: this is a quarter of it.
 */
const mostTasks = 32;

/** What waits in a pipe counts as memory of the process's: in a small group, it is to be left to the program. */
const enoughMemory = 32 * 1024 * 1024;

/**
 * Makes room for the output of a process that is about to start and may write much: it waits for its monitor later, and the monitor
 * does not take the processor from it with each line. That is a favour: where the host does not allow it, things stay as
 * they are.
 */
export async function prepareForMuchOutput(
  { processes, setPipeSize }: Pick<Ports, 'processes' | 'setPipeSize'>,
  { spec, spool }: Pick<TaskRequest, 'spec' | 'spool'>,
  { first, monitor, others }: Pick<TaskRecord, 'first' | 'monitor'> & { readonly others: number },
): Promise<void> {
  if (spool === undefined || spec.process.terminal === true) return;
  processes.setBatchScheduling(monitor.pid);
  const limit = spec.linux.resources?.memory?.limit ?? -1;
  if (others >= mostTasks || (limit >= 0 && limit < enoughMemory)) return;
  const stdout = `/proc/${first.pid}/fd/1`;
  const pipe = await open(stdout, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (pipe === undefined) return;
  setPipeSize(pipe.fd, wide);
  await pipe.close();
}
