import { readFile, stat } from 'node:fs/promises';
import { arch, cpus, hostname, release, totalmem } from 'node:os';

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
}

/** Injects the facts, which are read once before the plugin starts. */
export const HostFacts = Symbol('host-facts');

/** Reads the facts from /proc, /sys and /etc. */
export async function readHostFacts(): Promise<HostFacts> {
  return {
    architecture: machineName(),
    kernelVersion: release(),
    operatingSystem: (await readOsRelease('PRETTY_NAME')) || 'Linux',
    operatingSystemVersion: await readOsRelease('VERSION_ID'),
    hostname: hostname(),
    cpus: cpus().length,
    memoryBytes: totalmem(),
    builtAt: (await stat(new URL(import.meta.url))).mtime.toISOString(),
  };
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
