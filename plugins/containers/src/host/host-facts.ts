import { readFile } from 'node:fs/promises';
import { hostname, release } from 'node:os';
import { hasAppArmor } from '@gantry/lib-linux/app-armor';
import { type CgroupLimits, readCgroupLimits } from '@gantry/lib-linux/cgroups';
import { isInUserNamespace } from '@gantry/lib-linux/host';
import type { ContainerContexts } from '@gantry/lib-linux/selinux';
import { type CpuList, parseCpuList } from './cpu-list.js';
import { readHostCapabilities } from './read-host-capabilities.js';

/** What this host offers to containers. Read once: none of it changes while the daemon runs. */
export interface HostFacts {
  readonly hostname: string;
  readonly cpus: CpuList;
  readonly memoryNodes: CpuList;
  /** Limits that the kernel has here. */
  readonly limits: CgroupLimits;
  /** Capabilities that containers can be given. */
  readonly capabilities: ReadonlySet<string>;
  /** By name in lower case without RLIMIT_: the largest limit that this process may set. */
  readonly ulimits: ReadonlyMap<string, number>;
  /** The lowest OomScoreAdj that may be set. */
  readonly lowestOomScore: number;
  /** Whether AppArmor confines containers. */
  readonly appArmor: boolean;
  /** The contexts that containers have by SELinux; undefined where it does not confine them. */
  readonly selinux: ContainerContexts | undefined;
  /** The kernel filters system calls. */
  readonly seccomp: boolean;
  /** The kernel can make mounts read-only with everything below them. */
  readonly recursiveReadOnly: boolean;
  /** Containers have cgroups. Without, nothing of them can be limited. */
  readonly hasCgroups: boolean;
  readonly cgroupVersion: CgroupLimits['version'];
  /** Containers have user namespaces of their own, with other ids on the host. */
  readonly remapsIds: boolean;
}

export const HostFacts = Symbol('host-facts');

const read = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

export async function readHostFacts(root?: string): Promise<Omit<HostFacts, 'remapsIds' | 'selinux'>> {
  const [cpus, memoryNodes, limits, capabilities, ownLimits, openMaximum, oomScore, confines, status] =
    await Promise.all([
      read('/sys/devices/system/cpu/online'),
      read('/sys/devices/system/node/online'),
      readCgroupLimits(root),
      readHostCapabilities(),
      read('/proc/self/limits'),
      read('/proc/sys/fs/nr_open'),
      read('/proc/self/oom_score_adj'),
      hasAppArmor(),
      read('/proc/self/status'),
    ]);
  // Limits and scores of processes are the host's, which root of a user namespace may not raise.
  const isFree = capabilities.has('CAP_SYS_RESOURCE') && !isInUserNamespace();
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
    seccomp: /^Seccomp:/m.test(status),
    hasCgroups: limits.isDelegated,
    cgroupVersion: limits.version,
  };
}

/** mount_setattr(2) is there since Linux 5.12. */
function hasMountSetattr(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 12);
}

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
