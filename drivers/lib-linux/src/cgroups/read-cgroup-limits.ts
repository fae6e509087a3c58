import { access, readdir, readFile } from 'node:fs/promises';
import { kernelCgroups } from './kernel-cgroups.js';

/** Which limits the kernel has for control groups of this host. */
export interface CgroupLimits {
  /** 1 also for hosts that have both. */
  readonly version: 1 | 2;
  /** The engine may have cgroups. If not, nothing can be limited. */
  readonly isDelegated: boolean;
  readonly memory: boolean;
  readonly swap: boolean;
  readonly swappiness: boolean;
  readonly memoryReservation: boolean;
  readonly oomKillDisable: boolean;
  readonly cpuShares: boolean;
  /** Quota and period. */
  readonly cpuQuota: boolean;
  readonly cpuset: boolean;
  readonly pids: boolean;
  readonly blkioWeight: boolean;
  readonly blkioWeightDevice: boolean;
  readonly blkioThrottle: boolean;
}

/** @param root another directory than where the host has its hierarchies. */
export async function readCgroupLimits(root?: string): Promise<CgroupLimits> {
  const directory = root ?? '/sys/fs/cgroup';
  const isDelegated = root !== undefined || (await kernelCgroups.layout()).mode !== 'none';
  if (!isDelegated) return { ...unifiedLimits(new Set()), version: (await isUnified(directory)) ? 2 : 1, isDelegated };
  return limitsBelow(directory);
}

async function limitsBelow(root: string): Promise<CgroupLimits> {
  if (await isUnified(root)) {
    const text = await readFile(`${root}/cgroup.controllers`, 'utf8').catch(() => '');
    return unifiedLimits(new Set(text.trim().split(' ')));
  }
  const names = ['memory', 'cpu', 'cpuset', 'pids', 'blkio'];
  const lists = await Promise.all(names.map((name) => readdir(`${root}/${name}`).catch(() => [])));
  const files = new Set(lists.flat());
  return {
    version: 1,
    isDelegated: true,
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

/** Only the root of a version 2 hierarchy has the file, which is empty where no controller is delegated. */
const isUnified = (root: string): Promise<boolean> =>
  access(`${root}/cgroup.controllers`).then(
    () => true,
    () => false,
  );

const unifiedLimits = (controllers: ReadonlySet<string>): CgroupLimits => ({
  version: 2,
  isDelegated: true,
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
