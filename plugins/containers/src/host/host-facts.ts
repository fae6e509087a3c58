import { readdir, readFile } from 'node:fs/promises';
import { hostname, release } from 'node:os';
import { hasAppArmor } from '@gantry/lib-linux/app-armor';
import { type CpuList, parseCpuList } from './cpu-list.js';
import { readHostCapabilities } from './read-host-capabilities.js';

/** What this host offers to containers. Read once: none of it changes while the daemon runs. */
export interface HostFacts {
  readonly hostname: string;
  readonly cpus: CpuList;
  readonly memoryNodes: CpuList;
  /** Limits that the kernel has here. */
  readonly limits: HostLimits;
  /** Capabilities that containers can be given. */
  readonly capabilities: ReadonlySet<string>;
  /** By name in lower case without RLIMIT_: the largest limit that this process may set. */
  readonly ulimits: ReadonlyMap<string, number>;
  /** The lowest OomScoreAdj that may be set. */
  readonly lowestOomScore: number;
  /** Whether AppArmor confines containers. */
  readonly appArmor: boolean;
  /** The kernel can make mounts read-only with everything below them. */
  readonly recursiveReadOnly: boolean;
  /** 1 also for hosts that have both. */
  readonly cgroupVersion: 1 | 2;
  /** Containers have user namespaces of their own, with other ids on the host. */
  readonly remapsIds: boolean;
}

export const HostFacts = Symbol('host-facts');

export interface HostLimits {
  readonly memory: boolean;
  readonly swap: boolean;
  readonly swappiness: boolean;
  readonly memoryReservation: boolean;
  readonly oomKillDisable: boolean;
  readonly cpuShares: boolean;
  readonly cpuQuota: boolean;
  readonly cpuset: boolean;
  readonly pids: boolean;
  readonly blkioWeight: boolean;
  readonly blkioWeightDevice: boolean;
  readonly blkioThrottle: boolean;
}

const read = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

export async function readHostFacts(): Promise<Omit<HostFacts, 'remapsIds'>> {
  const [cpus, memoryNodes, limits, capabilities, ownLimits, openMaximum, oomScore, confines, unified] =
    await Promise.all([
      read('/sys/devices/system/cpu/online'),
      read('/sys/devices/system/node/online'),
      readHostLimits(),
      readHostCapabilities(),
      read('/proc/self/limits'),
      read('/proc/sys/fs/nr_open'),
      read('/proc/self/oom_score_adj'),
      hasAppArmor(),
      read(`${root}/cgroup.controllers`),
    ]);
  const isFree = capabilities.has('CAP_SYS_RESOURCE');
  return {
    hostname: hostname(),
    cpus: parseCpuList(cpus.trim() || '0') ?? new Set([0]),
    memoryNodes: parseCpuList(memoryNodes.trim() || '0') ?? new Set([0]),
    limits,
    capabilities,
    ulimits: largestLimits(isFree ? '' : ownLimits, Number(openMaximum)),
    lowestOomScore: isFree ? -1000 : Math.min(0, Number(oomScore)),
    recursiveReadOnly: hasMountSetattr(release()),
    appArmor: confines,
    cgroupVersion: unified === '' ? 1 : 2,
  };
}

/** mount_setattr(2) is there since Linux 5.12. */
function hasMountSetattr(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 12);
}

const root = '/sys/fs/cgroup';

async function readHostLimits(): Promise<HostLimits> {
  const unified = (await read(`${root}/cgroup.controllers`)).trim();
  if (unified !== '') return unifiedLimits(new Set(unified.split(' ')));
  const names = ['memory', 'cpu', 'cpuset', 'pids', 'blkio'];
  const lists = await Promise.all(names.map((name) => readdir(`${root}/${name}`).catch(() => [])));
  const files = new Set(lists.flat());
  return {
    memory: files.has('memory.limit_in_bytes'),
    swap: files.has('memory.memsw.limit_in_bytes'),
    swappiness: files.has('memory.swappiness'),
    memoryReservation: files.has('memory.soft_limit_in_bytes'),
    oomKillDisable: files.has('memory.oom_control'),
    cpuShares: files.has('cpu.shares'),
    cpuQuota: files.has('cpu.cfs_quota_us'),
    cpuset: files.has('cpuset.cpus'),
    // The root has no pids.max; its group of files is only there with the controller.
    pids: (lists[3]?.length ?? 0) > 0,
    blkioWeight: files.has('blkio.weight') || files.has('blkio.bfq.weight'),
    blkioWeightDevice: files.has('blkio.weight_device') || files.has('blkio.bfq.weight_device'),
    blkioThrottle: files.has('blkio.throttle.read_bps_device'),
  };
}

const unifiedLimits = (controllers: ReadonlySet<string>): HostLimits => ({
  memory: controllers.has('memory'),
  swap: controllers.has('memory'),
  swappiness: false,
  memoryReservation: controllers.has('memory'),
  oomKillDisable: false,
  cpuShares: controllers.has('cpu'),
  cpuQuota: controllers.has('cpu'),
  cpuset: controllers.has('cpuset'),
  pids: controllers.has('pids'),
  blkioWeight: controllers.has('io'),
  blkioWeightDevice: controllers.has('io'),
  blkioThrottle: controllers.has('io'),
});

/** Rows of /proc/self/limits by the names of ulimits. */
const rows: Readonly<Record<string, string>> = {
  as: 'Max address space',
  core: 'Max core file size',
  cpu: 'Max cpu time',
  data: 'Max data size',
  fsize: 'Max file size',
  locks: 'Max file locks',
  memlock: 'Max locked memory',
  msgqueue: 'Max msgqueue size',
  nice: 'Max nice priority',
  nofile: 'Max open files',
  nproc: 'Max processes',
  rss: 'Max resident set',
  rtprio: 'Max realtime priority',
  rttime: 'Max realtime timeout',
  sigpending: 'Max pending signals',
  stack: 'Max stack size',
};

export const ulimitNames: readonly string[] = Object.keys(rows);

/** Without rows (a process that may raise its limits) only the kernel's own bound on open files is left. */
export function largestLimits(text: string, openMaximum: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [name, title] of Object.entries(rows)) {
    const line = text.split('\n').find((candidate) => candidate.startsWith(title));
    const hard = line?.slice(title.length).trim().split(/\s+/)[1];
    if (hard !== undefined && /^\d+$/.test(hard)) found.set(name, Number(hard));
  }
  if (openMaximum > 0) found.set('nofile', Math.min(openMaximum, found.get('nofile') ?? openMaximum));
  return found;
}
