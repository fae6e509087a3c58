import { access, readFile, stat } from 'node:fs/promises';
import { arch, cpus, hostname, release, totalmem } from 'node:os';
import { hasAppArmor } from '@gantry/lib-linux/app-armor';

/** Properties of the host that do not change while the daemon runs. */
export interface HostFacts {
  readonly architecture: string;
  readonly kernelVersion: string;
  readonly operatingSystem: string;
  /** Such as `12`; empty for a rolling release. */
  readonly operatingSystemVersion: string;
  readonly hostname: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  /** RFC 3339: when this code was compiled. */
  readonly builtAt: string;
  /** What confines containers, as clients know it. */
  readonly securityOptions: readonly string[];
  readonly limits: {
    readonly memory: boolean;
    readonly swap: boolean;
    readonly oomKillDisable: boolean;
    readonly cpuPeriod: boolean;
    readonly cpuQuota: boolean;
    readonly cpuShares: boolean;
    readonly cpuSet: boolean;
    readonly pids: boolean;
  };
}

/** Injects the facts, which are read once before the plugin starts. */
export const HostFacts = Symbol('host-facts');

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Reads the facts from /proc, /sys and /etc. */
export async function readHostFacts(): Promise<HostFacts> {
  const v1 = '/sys/fs/cgroup';
  const unified = await exists(`${v1}/cgroup.controllers`);
  const controllers = unified ? (await readFile(`${v1}/cgroup.controllers`, 'utf8')).trim().split(' ') : [];
  const has = (controller: string, file: string): Promise<boolean> =>
    unified ? Promise.resolve(controllers.includes(controller)) : exists(`${v1}/${controller}/${file}`);
  const [memory, swap, oomKillDisable, cpuPeriod, cpuQuota, cpuShares, cpuSet, pids] = await Promise.all([
    has('memory', 'memory.limit_in_bytes'),
    has('memory', 'memory.memsw.limit_in_bytes'),
    unified ? Promise.resolve(false) : exists(`${v1}/memory/memory.oom_control`),
    has('cpu', 'cpu.cfs_period_us'),
    has('cpu', 'cpu.cfs_quota_us'),
    has('cpu', 'cpu.shares'),
    has('cpuset', 'cpuset.cpus'),
    unified ? Promise.resolve(controllers.includes('pids')) : exists(`${v1}/pids`),
  ]);
  return {
    architecture: machineName(),
    kernelVersion: release(),
    operatingSystem: (await readOsRelease('PRETTY_NAME')) || 'Linux',
    operatingSystemVersion: await readOsRelease('VERSION_ID'),
    hostname: hostname(),
    cpus: cpus().length,
    memoryBytes: totalmem(),
    builtAt: (await stat(new URL(import.meta.url))).mtime.toISOString(),
    securityOptions: await readSecurityOptions(),
    limits: { memory, swap, oomKillDisable, cpuPeriod, cpuQuota, cpuShares, cpuSet, pids },
  };
}

async function readSecurityOptions(): Promise<readonly string[]> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const [appArmor, unified] = await Promise.all([hasAppArmor(), exists('/sys/fs/cgroup/cgroup.controllers')]);
  return [
    ...(appArmor ? ['apparmor'] : []),
    ...(/^Seccomp:/m.test(status) ? ['seccomp'] : []),
    ...(unified ? ['cgroupns'] : []),
  ];
}

/** Whether the host forwards IPv4 packets. Not cached: network drivers may enable it. */
export async function readIpForwarding(): Promise<boolean> {
  return (await readFile('/proc/sys/net/ipv4/ip_forward', 'utf8').catch(() => '0')).trim() === '1';
}

/** The machine name as `uname -m` prints it. */
const machineName = (): string => ({ x64: 'x86_64', arm64: 'aarch64' })[arch() as string] ?? arch();

async function readOsRelease(key: 'PRETTY_NAME' | 'VERSION_ID'): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return new RegExp(`^${key}="?([^"\\n]*)"?$`, 'm').exec(text)?.[1] ?? '';
}
