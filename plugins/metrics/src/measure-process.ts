import { readdir } from 'node:fs/promises';
import { version } from '@gantry/core';
import type { Measurement } from '@gantry/core/driver';

/** What the daemon's own process uses. */
export async function measureProcess(): Promise<readonly Measurement[]> {
  const { heapTotal, heapUsed, rss } = process.memoryUsage();
  const { system, user } = process.cpuUsage();
  const descriptors = await readdir('/proc/self/fd');
  return [
    { ...gauge('info', 'The version of the engine and of Node', 1, { version, node: process.versions.node }) },
    { ...gauge('process_cpu_seconds_total', 'Processor time of the daemon', (user + system) / 1e6), type: 'counter' },
    gauge('process_resident_memory_bytes', 'Memory of the daemon', rss),
    gauge('process_heap_bytes', 'Heap of the daemon that is reserved', heapTotal),
    gauge('process_heap_used_bytes', 'Heap of the daemon that is in use', heapUsed),
    gauge('process_open_fds', 'Open file descriptors of the daemon', descriptors.length),
    gauge('process_start_time_seconds', 'When the daemon was started, in Unix time', performance.timeOrigin / 1e3),
  ];
}

const gauge = (name: string, help: string, value: number, labels?: Readonly<Record<string, string>>): Measurement => ({
  name,
  type: 'gauge',
  help,
  values: [{ value, ...(labels && { labels }) }],
});
