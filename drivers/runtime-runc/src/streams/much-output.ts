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

/** What waits in a pipe counts as memory of the process's: in a small group, it is to be left to the program. */
const enoughMemory = 32 * 1024 * 1024;

/**
 * Makes room for a process that is about to start and may write much: it waits for its monitor later, and the monitor
 * does not take the processor from it with each line. That is a favour: where the host does not allow it, things stay as
 * they are.
 */
export async function prepareForMuchOutput(
  { processes, setPipeSize }: Pick<Ports, 'processes' | 'setPipeSize'>,
  { spec, spool }: Pick<TaskRequest, 'spec' | 'spool'>,
  { first, monitor }: Pick<TaskRecord, 'first' | 'monitor'>,
): Promise<void> {
  if (spool === undefined || spec.process.terminal === true) return;
  processes.letOthersGoOn(monitor.pid);
  const limit = spec.linux.resources?.memory?.limit ?? -1;
  if (limit >= 0 && limit < enoughMemory) return;
  await Promise.all([1, 2].map((fd) => widen(`/proc/${first.pid}/fd/${fd}`, setPipeSize)));
}

async function widen(path: string, setPipeSize: Ports['setPipeSize']): Promise<void> {
  const pipe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (pipe === undefined) return;
  setPipeSize(pipe.fd, wide);
  await pipe.close();
}
