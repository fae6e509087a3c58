import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { InterfaceCounters, TaskStats } from '@gantry/core/contracts';
import type { BlockUsage } from '@gantry/lib-linux/cgroups';
import type { RuntimeContext } from '../context.js';
import { ifThere } from '../errno.js';
import type { Task } from './task.js';

export async function readStats(context: RuntimeContext, task: Task): Promise<TaskStats> {
  const { record } = task.living;
  const group = await context.ports.cgroups.group(record.cgroup);
  const [{ cpu, memory, blkio, pids }, networks] = await Promise.all([
    group.statistics(),
    readNetworks(record.first.pid),
  ]);
  return {
    readAt: new Date(),
    ...(cpu !== undefined && { cpu }),
    // Without a limit of its own the host's memory is the limit.
    ...(memory !== undefined && { memory: { ...memory, limit: Math.min(memory.limit ?? totalmem(), totalmem()) } }),
    ...(pids !== undefined && { pids }),
    ...(blkio !== undefined && { blkio: recordNames(blkio) }),
    ...(networks !== undefined && { networks }),
  };
}

/** The statistics record's names. */
const recordNames = (usage: BlockUsage): NonNullable<TaskStats['blkio']> => ({
  io_service_bytes_recursive: usage.serviceBytes,
  io_serviced_recursive: usage.serviced,
  io_queue_recursive: usage.queued,
  io_service_time_recursive: usage.serviceTime,
  io_wait_time_recursive: usage.waitTime,
  io_merged_recursive: usage.merged,
  io_time_recursive: usage.time,
  sectors_recursive: usage.sectors,
});

/** The interfaces in a process's network namespace. Undefined when it has gone. */
async function readNetworks(pid: number): Promise<TaskStats['networks']> {
  const text = await ifThere(readFile(`/proc/${pid}/net/dev`, 'utf8').catch(noneOfZombies));
  return text === undefined ? undefined : parseNetworkCounters(text);
}

/** A zombie has no network any more, and the kernel says so in its own way. */
function noneOfZombies(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'EINVAL') return undefined;
  throw error;
}

/** Reads the text of /proc/PID/net/dev. The loopback is nobody's network. */
export function parseNetworkCounters(text: string): Readonly<Record<string, InterfaceCounters>> {
  const counters: Record<string, InterfaceCounters> = {};
  for (const [, name, values] of text.matchAll(/^\s*([^\s:|]+):\s*([\d ]+)$/gm)) {
    if (name === undefined || values === undefined || name === 'lo') continue;
    const numbers = values.trim().split(/\s+/).map(Number);
    const at = (index: number): number => numbers[index] ?? 0;
    counters[name] = {
      rxBytes: at(0),
      rxPackets: at(1),
      rxErrors: at(2),
      rxDropped: at(3),
      txBytes: at(8),
      txPackets: at(9),
      txErrors: at(10),
      txDropped: at(11),
    };
  }
  return counters;
}
