import { parseCounters } from './cgroup-files.js';
import type {
  BlockCounter,
  BlockUsage,
  Cgroup,
  CgroupStatistics,
  Controller,
  CpuUsage,
  MemoryUsage,
} from './cgroups.js';

type Read = (controller: Controller, file: string) => Promise<string | undefined>;
type VersionOf = (controller: Controller) => 1 | 2 | undefined;

/** All counters of a group, each as its version keeps it. */
export async function readStatistics(group: Cgroup, versionOf: VersionOf): Promise<CgroupStatistics> {
  const read: Read = (controller, file) => group.read(controller, file);
  const [cpu, memory, blkio, pids] = await Promise.all([
    versionOf('cpuacct') === 2 ? readCpuV2(read) : readCpuV1(read),
    versionOf('memory') === 2 ? readMemoryV2(read) : readMemoryV1(read),
    versionOf('blkio') === 2 ? readBlockV2(read) : readBlockV1(read),
    readPids(read),
  ]);
  return { cpu, memory, blkio, pids };
}

const nanosecondsPerTick = 10_000_000;

async function readCpuV1(read: Read): Promise<CpuUsage | undefined> {
  const [total, perCpu, stat, throttling] = await Promise.all([
    read('cpuacct', 'cpuacct.usage'),
    read('cpuacct', 'cpuacct.usage_percpu'),
    read('cpuacct', 'cpuacct.stat'),
    read('cpu', 'cpu.stat'),
  ]);
  if (total === undefined) return undefined;
  const ticks = parseCounters(stat);
  const counters = parseCounters(throttling);
  return {
    total: Number(total),
    user: (ticks.user ?? 0) * nanosecondsPerTick,
    kernel: (ticks.system ?? 0) * nanosecondsPerTick,
    perCpu: (perCpu ?? '')
      .split(/\s+/)
      .filter((text) => text !== '')
      .map(Number),
    throttling: {
      periods: counters.nr_periods ?? 0,
      throttledPeriods: counters.nr_throttled ?? 0,
      throttledTime: counters.throttled_time ?? 0,
    },
  };
}

async function readCpuV2(read: Read): Promise<CpuUsage | undefined> {
  const text = await read('cpu', 'cpu.stat');
  if (text === undefined) return undefined;
  const counters = parseCounters(text);
  const nanoseconds = (name: string): number => (counters[name] ?? 0) * 1000;
  return {
    total: nanoseconds('usage_usec'),
    user: nanoseconds('user_usec'),
    kernel: nanoseconds('system_usec'),
    perCpu: [],
    throttling: {
      periods: counters.nr_periods ?? 0,
      throttledPeriods: counters.nr_throttled ?? 0,
      throttledTime: nanoseconds('throttled_usec'),
    },
  };
}

/** Version 1 writes "no limit" as the last whole page below 2^63. */
const unlimitedFrom = 2 ** 62;

function limitOf(text: string | undefined): number | undefined {
  const limit = text === undefined || text === 'max' ? Number.POSITIVE_INFINITY : Number(text);
  return limit < unlimitedFrom ? limit : undefined;
}

async function readMemoryV1(read: Read): Promise<MemoryUsage | undefined> {
  const [usage, maxUsage, limit, failures, stat] = await Promise.all([
    read('memory', 'memory.usage_in_bytes'),
    read('memory', 'memory.max_usage_in_bytes'),
    read('memory', 'memory.limit_in_bytes'),
    read('memory', 'memory.failcnt'),
    read('memory', 'memory.stat'),
  ]);
  if (usage === undefined) return undefined;
  return {
    usage: Number(usage),
    maxUsage: Number(maxUsage ?? 0),
    limit: limitOf(limit),
    failures: Number(failures ?? 0),
    counters: parseCounters(stat),
  };
}

async function readMemoryV2(read: Read): Promise<MemoryUsage | undefined> {
  const [usage, limit, stat] = await Promise.all([
    read('memory', 'memory.current'),
    read('memory', 'memory.max'),
    read('memory', 'memory.stat'),
  ]);
  if (usage === undefined) return undefined;
  return {
    usage: Number(usage),
    maxUsage: undefined,
    limit: limitOf(limit),
    failures: undefined,
    counters: parseCounters(stat),
  };
}

async function readPids(read: Read): Promise<CgroupStatistics['pids']> {
  const [current, limit] = await Promise.all([read('pids', 'pids.current'), read('pids', 'pids.max')]);
  return current === undefined ? undefined : { current: Number(current), limit: limitOf(limit) };
}

/** The first file of each list that has anything in it: schedulers come and go with the kernel's version. */
const blockFiles: Readonly<Record<keyof BlockUsage, readonly string[]>> = {
  serviceBytes: scheduled('io_service_bytes_recursive', 'blkio.throttle.io_service_bytes_recursive'),
  serviced: scheduled('io_serviced_recursive', 'blkio.throttle.io_serviced_recursive'),
  queued: scheduled('io_queued_recursive'),
  serviceTime: scheduled('io_service_time_recursive'),
  waitTime: scheduled('io_wait_time_recursive'),
  merged: scheduled('io_merged_recursive'),
  time: scheduled('time_recursive'),
  sectors: scheduled('sectors_recursive'),
};

function scheduled(file: string, ...others: readonly string[]): readonly string[] {
  return [`blkio.bfq.${file}`, `blkio.${file}`, ...others];
}

async function readBlockV1(read: Read): Promise<BlockUsage | undefined> {
  if ((await read('blkio', 'blkio.throttle.io_serviced')) === undefined) return undefined;
  const firstFilled = async (files: readonly string[]): Promise<readonly BlockCounter[]> => {
    for (const file of files) {
      const counters = parseBlockCounters(await read('blkio', file));
      if (counters.length > 0) return counters;
    }
    return [];
  };
  const names = Object.keys(blockFiles) as (keyof BlockUsage)[];
  const values = await Promise.all(names.map((name) => firstFilled(blockFiles[name])));
  return Object.fromEntries(names.map((name, index) => [name, values[index]])) as unknown as BlockUsage;
}

/** `8:0 Read 4096`, or `8:0 4096` without an operation; the line with the total is skipped. */
function parseBlockCounters(text: string | undefined): readonly BlockCounter[] {
  return [...(text ?? '').matchAll(/^(\d+):(\d+)(?: (\w+))? (\d+)$/gm)].map(([, major, minor, op = '', value]) => ({
    major: Number(major),
    minor: Number(minor),
    op,
    value: Number(value),
  }));
}

async function readBlockV2(read: Read): Promise<BlockUsage | undefined> {
  const text = await read('io', 'io.stat');
  if (text === undefined) return undefined;
  const serviceBytes = [...text.matchAll(/^(\d+):(\d+) (.*)$/gm)].flatMap(([, major, minor, rest]) => {
    const { rbytes = 0, wbytes = 0 } = parseCounters(rest);
    const device = { major: Number(major), minor: Number(minor) };
    return [
      { ...device, op: 'read', value: rbytes },
      { ...device, op: 'write', value: wbytes },
    ];
  });
  return { serviceBytes };
}
