import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { InterfaceCounters, TaskStats } from '@gantry/core/contracts';
import { inject, injectable, Semaphore } from '@gantry/core/driver';
import { type BlockUsage, Cgroups, type MemoryUsage } from '@gantry/lib-linux/cgroups';
import { ifPresent } from '../if-present.js';
import type { Task } from './task.js';

/** Tasks that are read at the same time: those of a thousand would keep the requests of clients waiting. */
const readsAtOnce = 16;

/** Reads the resource usage of tasks. */
@injectable()
export class ReadStats {
  readonly #reads = new Semaphore(readsAtOnce);

  constructor(@inject(Cgroups.token) private readonly cgroups: Cgroups) {}

  read(task: Task): Promise<TaskStats> {
    return this.#reads.run(() => this.#read(task));
  }

  async #read(task: Task): Promise<TaskStats> {
    const { record } = task.living;
    const group = await this.cgroups.group(record.cgroup);
    const [{ cpu, memory, blkio, pids }, networks] = await Promise.all([
      group.statistics(),
      readNetworks(record.first.pid),
    ]);
    return {
      readAt: new Date(),
      ...(cpu !== undefined && { cpu }),
      // Without a limit of its own the host's memory is the limit.
      ...(memory !== undefined && { memory: memoryOf(memory) }),
      ...(pids !== undefined && { pids }),
      ...(blkio !== undefined && { blkio: recordNames(blkio) }),
      ...(networks !== undefined && { networks }),
    };
  }
}

function memoryOf({ usage, counters, limit, maxUsage, failures }: MemoryUsage): NonNullable<TaskStats['memory']> {
  return {
    usage,
    counters,
    limit: Math.min(limit ?? totalmem(), totalmem()),
    ...(maxUsage !== undefined && { maxUsage }),
    ...(failures !== undefined && { failures }),
  };
}

/** The names of the statistics record. */
const names: Readonly<Record<keyof BlockUsage, string>> = {
  serviceBytes: 'io_service_bytes_recursive',
  serviced: 'io_serviced_recursive',
  queued: 'io_queue_recursive',
  serviceTime: 'io_service_time_recursive',
  waitTime: 'io_wait_time_recursive',
  merged: 'io_merged_recursive',
  time: 'io_time_recursive',
  sectors: 'sectors_recursive',
};

const recordNames = (usage: BlockUsage): NonNullable<TaskStats['blkio']> =>
  Object.fromEntries(
    (Object.keys(names) as (keyof BlockUsage)[]).flatMap((name) => {
      const counters = usage[name];
      return counters === undefined ? [] : [[names[name], counters]];
    }),
  );

/** The interfaces in a process's network namespace. Undefined when it no longer exists. */
async function readNetworks(pid: number): Promise<TaskStats['networks']> {
  const text = await ifPresent(readFile(`/proc/${pid}/net/dev`, 'utf8').catch(undefinedForZombie));
  return text === undefined ? undefined : parseNetworkCounters(text);
}

/** A zombie has no network namespace any more: the kernel answers EINVAL. */
function undefinedForZombie(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'EINVAL') return undefined;
  throw error;
}

/** Reads the text of /proc/PID/net/dev. The loopback interface is left out. */
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
