import { servicePoint } from '@gantry/core/points';
import { kernelCgroups } from './kernel-cgroups.js';
export type Controller =
  | 'cpu'
  | 'cpuacct'
  | 'cpuset'
  | 'memory'
  | 'devices'
  | 'freezer'
  | 'blkio'
  | 'io'
  | 'pids'
  | 'hugetlb'
  | 'net_cls'
  | 'net_prio'
  | 'perf_event'
  | 'rdma'
  | 'misc';

export interface CgroupLayout {
  /**
   * `hybrid`: controllers are v1, and a v2 tree is there as well. `none`: this process is in a user namespace, and no
   * tree has been delegated to it; every group is then without directories.
   */
  readonly mode: 'v1' | 'hybrid' | 'v2' | 'none';
  /** Mount point of the v2 tree. */
  readonly unified: string | undefined;
  /** Where each controller is, and in which form. */
  readonly controllers: ReadonlyMap<string, { readonly mount: string; readonly version: 1 | 2 }>;
  /** Mount point of systemd's own v1 tree, which runtimes use too. */
  readonly systemd: string | undefined;
}

export interface CpuUsage {
  /** Nanoseconds of all CPUs together. */
  readonly total: number;
  readonly user: number;
  readonly kernel: number;
  /** By CPU; empty on v2, which does not count that. */
  readonly perCpu: readonly number[];
  readonly throttling: { readonly periods: number; readonly throttledPeriods: number; readonly throttledTime: number };
}

export interface MemoryUsage {
  /** Bytes, page cache included. */
  readonly usage: number;
  /** Undefined on v2, whose statistics have none. */
  readonly maxUsage: number | undefined;
  /** Undefined: unlimited. */
  readonly limit: number | undefined;
  /** How often the limit was hit. Undefined on v2. */
  readonly failures: number | undefined;
  /** `memory.stat` as the kernel names it. */
  readonly counters: Readonly<Record<string, number>>;
}

export interface BlockCounter {
  readonly major: number;
  readonly minor: number;
  /** `Read`, `Write`, `Sync`, `Async`, `Discard`, `Total`; `read` and `write` on v2. */
  readonly op: string;
  readonly value: number;
}

/** v2 has the first list only. */
export interface BlockUsage {
  readonly serviceBytes: readonly BlockCounter[];
  readonly serviced?: readonly BlockCounter[];
  readonly queued?: readonly BlockCounter[];
  readonly serviceTime?: readonly BlockCounter[];
  readonly waitTime?: readonly BlockCounter[];
  readonly merged?: readonly BlockCounter[];
  readonly time?: readonly BlockCounter[];
  readonly sectors?: readonly BlockCounter[];
}

export interface CgroupStatistics {
  readonly cpu: CpuUsage | undefined;
  readonly memory: MemoryUsage | undefined;
  readonly blkio: BlockUsage | undefined;
  readonly pids: { readonly current: number; readonly limit: number | undefined } | undefined;
}

/** One group, in every hierarchy of the host. It need not exist. */
export interface Cgroup {
  /** From the root of each hierarchy: `/gantry/4f1c`. */
  readonly path: string;
  /** Its directory for a controller; undefined when the host has no such controller. */
  directory(controller: Controller): string | undefined;
  /** Each of its directories once. */
  directories(): readonly string[];
  exists(): Promise<boolean>;

  /** Makes what is missing, with the controllers handed down to it. Existing: resolves. */
  create(): Promise<void>;
  /** Moves a process in, into every hierarchy. Rejects `ESRCH` when it is gone. */
  add(pid: number): Promise<void>;
  /** Processes in it and, with `recursive`, below it. Absent: none. */
  processes(options?: { readonly recursive?: boolean }): Promise<readonly number[]>;

  /** A file's text without the last line end. Undefined when the file or controller is absent. */
  read(controller: Controller, file: string): Promise<string | undefined>;
  /** Rejects LinuxError or Node's own error with the kernel's code. `ENOENT` without such a controller. */
  write(controller: Controller, file: string, value: string | number): Promise<void>;

  /** Resolves when every process has stopped. On an abort it is thawed again. */
  freeze(options?: { readonly signal?: AbortSignal }): Promise<void>;
  thaw(): Promise<void>;
  isFrozen(): Promise<boolean>;

  /** How many processes the kernel has killed for want of the group's memory. Undefined when the group has gone. */
  memoryKills(): Promise<number | undefined>;

  /** Kills everything in it and below, until nothing is left. Rejects with the signal's reason if that takes too long. */
  killAll(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Removes it with everything below. Absent: resolves. Rejects `EBUSY` while processes are in it, after 1 s. */
  remove(): Promise<void>;

  statistics(): Promise<CgroupStatistics>;
}

export interface Cgroups {
  /** As the host is set up; read once. */
  layout(): Promise<CgroupLayout>;
  /** A group by its path from the root of each hierarchy. */
  group(path: string): Promise<Cgroup>;
  /** The group a process is in, where hierarchies agree or differ. Rejects `ENOENT` when the process is gone. */
  ofProcess(pid: number): Promise<Cgroup>;
}

export const Cgroups = servicePoint<Cgroups>('linux.cgroups', { fallback: () => kernelCgroups });
