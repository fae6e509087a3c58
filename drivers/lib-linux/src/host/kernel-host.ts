import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, hostname, machine, release, totalmem, version } from 'node:os';
import type { Host, HostFacts } from './host.js';

const architectures: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  armv7l: 'arm',
  armv6l: 'arm',
  i686: '386',
  ppc64le: 'ppc64le',
  s390x: 's390x',
  riscv64: 'riscv64',
};

async function facts(): Promise<HostFacts> {
  return {
    hostname: hostname(),
    kernelRelease: release(),
    kernelVersion: version(),
    machine: machine(),
    architecture: architectures[machine()] ?? machine(),
    operatingSystem: await prettyName(),
    totalMemory: totalmem(),
    cpus: await onlineCpus(),
    bootId: (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim(),
  };
}

async function prettyName(): Promise<string> {
  for (const path of ['/etc/os-release', '/usr/lib/os-release']) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    const name = text === undefined ? undefined : parseOsRelease(text).get('PRETTY_NAME');
    if (name !== undefined) return name;
  }
  return 'Linux';
}

/** Reads the text of os-release(5): shell assignments without expansion. */
export function parseOsRelease(text: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^\s*([A-Z0-9_]+)=(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined) continue;
    const [, , quoted = value] = /^(["'])(.*)\1$/.exec(value) ?? [];
    entries.set(name, quoted.replace(/\\([\\"'$`])/g, '$1'));
  }
  return entries;
}

/** CPUs of the host, not those this process may use. */
async function onlineCpus(): Promise<number> {
  const text = await readFile('/sys/devices/system/cpu/online', 'utf8').catch(() => undefined);
  return text === undefined ? cpus().length || availableParallelism() : countOfList(text.trim());
}

/** `0-3,7` is five. */
export function countOfList(list: string): number {
  return list
    .split(',')
    .filter((range) => range !== '')
    .reduce((sum, range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return sum + last - first + 1;
    }, 0);
}

/** What the kernel counts in, on every architecture that runs this. */
const nanosecondsPerTick = 10_000_000;

async function systemCpuTime(): Promise<number> {
  const [first = ''] = (await readFile('/proc/stat', 'utf8')).split('\n', 1);
  // user nice system idle iowait irq softirq; what follows is time of guests, which is in these already.
  const ticks = first.split(/\s+/).slice(1, 8).map(Number);
  return ticks.reduce((sum, tick) => sum + tick, 0) * nanosecondsPerTick;
}

async function uptime(): Promise<number> {
  return Number((await readFile('/proc/uptime', 'utf8')).split(' ', 1)[0]);
}

export const kernelHost: Host = { facts, systemCpuTime, uptime };
