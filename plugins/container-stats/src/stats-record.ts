import type { ContainerRecord } from '@gantry/containers/service';
import type { InterfaceCounters, TaskStats } from '@gantry/core/contracts';
import { zeroTime } from '@gantry/core/driver';
import type { ContainerStats, NetworkStats } from 'dockerode';
import type { SystemCpu } from './system-cpu.js';

/** Counters of one moment. */
export interface Sample {
  readonly task: TaskStats;
  readonly system: SystemCpu;
}

/** Spec: statistics record. */
export type StatsRecord = ReturnType<typeof toStatsRecord>;

/** `previous` is what CPU percentages are computed from; without a sample everything is zero. */
export function toStatsRecord(
  { id, name, hostConfig }: ContainerRecord,
  sample: Sample | undefined,
  previous: Sample | undefined,
) {
  const { memory, pids, blkio, networks = {} } = sample?.task ?? {};
  // On the host's network the counters are those of the host.
  const ownNetworks = hostConfig.NetworkMode === 'host' ? [] : Object.entries(networks);
  return {
    read: timeOf(sample),
    preread: timeOf(previous),
    pids_stats: pids === undefined ? {} : { current: pids.current, ...(pids.limit && { limit: pids.limit }) },
    blkio_stats: blkio === undefined ? noBlkio : { ...unknownBlkio, ...blkio },
    num_procs: 0,
    storage_stats: {},
    cpu_stats: toCpu(sample),
    precpu_stats: toCpu(previous),
    memory_stats:
      memory === undefined
        ? {}
        : {
            usage: memory.usage,
            ...(memory.maxUsage !== undefined && { max_usage: memory.maxUsage }),
            stats: memory.counters,
            ...(memory.failures !== undefined && { failcnt: memory.failures }),
            limit: memory.limit,
          },
    name: `/${name}`,
    id,
    ...(ownNetworks.length > 0 && {
      networks: Object.fromEntries(ownNetworks.map(([device, counters]) => [device, toNetwork(counters)])),
    }),
  } satisfies Record<Exclude<keyof ContainerStats, 'networks' | 'os_type'>, unknown>;
}

/** Every list is present, also without a sample. */
const noBlkio: NonNullable<TaskStats['blkio']> = {
  io_service_bytes_recursive: [],
  io_serviced_recursive: [],
  io_queue_recursive: [],
  io_service_time_recursive: [],
  io_wait_time_recursive: [],
  io_merged_recursive: [],
  io_time_recursive: [],
  sectors_recursive: [],
};

/** Lists that the host does not count. */
const unknownBlkio = Object.fromEntries(Object.keys(noBlkio).map((name) => [name, null]));

const timeOf = (sample: Sample | undefined): string => sample?.task.readAt.toISOString() ?? zeroTime;

function toCpu(sample: Sample | undefined) {
  const cpu = sample?.task.cpu;
  return {
    cpu_usage: {
      total_usage: cpu?.total ?? 0,
      ...(cpu !== undefined && cpu.perCpu.length > 0 && { percpu_usage: cpu.perCpu }),
      usage_in_kernelmode: cpu?.kernel ?? 0,
      usage_in_usermode: cpu?.user ?? 0,
    },
    system_cpu_usage: sample?.system.usage ?? 0,
    ...(sample !== undefined && { online_cpus: sample.system.online }),
    throttling_data: {
      periods: cpu?.throttling.periods ?? 0,
      throttled_periods: cpu?.throttling.throttledPeriods ?? 0,
      throttled_time: cpu?.throttling.throttledTime ?? 0,
    },
  } satisfies Partial<Record<keyof ContainerStats['cpu_stats'], unknown>>;
}

const toNetwork = (counters: InterfaceCounters) =>
  ({
    rx_bytes: counters.rxBytes,
    rx_packets: counters.rxPackets,
    rx_errors: counters.rxErrors,
    rx_dropped: counters.rxDropped,
    tx_bytes: counters.txBytes,
    tx_packets: counters.txPackets,
    tx_errors: counters.txErrors,
    tx_dropped: counters.txDropped,
  }) satisfies NetworkStats[string];
