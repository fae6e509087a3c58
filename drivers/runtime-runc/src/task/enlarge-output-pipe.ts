import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { TaskRequest } from '@gantry/core/contracts';
import { setPipeSize } from '@gantry/lib-linux/files';
import type { Processes } from '@gantry/lib-linux/processes';
import type { TaskRecord } from './task-record.js';

/**
 * Bytes that a pipe to a monitor holds. With the kernel's 64 KiB, a process with high output and its monitor wait for
 * each other thousands of times a second, and the scheduler has no chance to move one of them to another processor.
 */
const enlargedSize = 512 * 1024;

/**
 * How many tasks may have such pipes at a time. The kernel limits the pipes of a user, those of processes in containers
 * included, to 64 MiB in total and gives new ones 8 KiB beyond that: this is a quarter of it.
 */
const maxTasks = 32;

/** A pipe's content counts as memory of the process's cgroup: a small cgroup keeps its memory for the program. */
const minMemory = 32 * 1024 * 1024;

/**
 * Prepares for high output of a process that is about to start: a larger pipe, and a monitor that the scheduler does not
 * let preempt it with each line. Best effort: where the host does not allow it, nothing changes.
 */
export async function enlargeOutputPipe(
  processes: Pick<Processes, 'setBatchScheduling'>,
  { spec, spool }: Pick<TaskRequest, 'spec' | 'spool'>,
  { first, monitor, others }: Pick<TaskRecord, 'first' | 'monitor'> & { readonly others: number },
): Promise<void> {
  if (spool === undefined || spec.process.terminal === true) return;
  processes.setBatchScheduling(monitor.pid);
  const limit = spec.linux.resources?.memory?.limit ?? -1;
  if (others >= maxTasks || (limit >= 0 && limit < minMemory)) return;
  const stdout = `/proc/${first.pid}/fd/1`;
  const pipe = await open(stdout, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (pipe === undefined) return;
  setPipeSize(pipe.fd, enlargedSize);
  await pipe.close();
}
