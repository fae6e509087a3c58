import { access, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DaemonOptions } from './daemon-options.js';

const base = fileURLToPath(new URL('default-config.json', import.meta.resolve('gantry/package.json')));

interface DaemonPlaces {
  readonly directory: string;
  readonly socket: string;
  readonly name: string;
  /** Which one of this process it is, from 1. */
  readonly number: number;
}

/** Writes what keeps a daemon apart from all others of the host. @returns the file. */
export async function writeConfiguration(
  { directory, socket, name, number }: DaemonPlaces,
  options: DaemonOptions,
): Promise<string> {
  const file = path.join(directory, 'gantry.json');
  const cgroupParent = await parentCgroup(name, options);
  const { defaults } = JSON.parse(await readFile(base, 'utf8')) as { readonly defaults: object };
  const configuration = {
    defaults: { ...defaults, ...options.defaults },
    dataRoot: path.join(directory, 'data'),
    execRoot: path.join(directory, 'run'),
    ...(options.extraPackages && { extraPackages: options.extraPackages }),
    ...(options.usernsRemap && { usernsRemap: options.usernsRemap }),
    logLevel: options.logLevel ?? 'debug',
    // Emulated hosts are slow, and on a machine with other work a start takes ten minutes there.
    startTimeoutSeconds: 900,
    drivers: {
      'network/bridge': { defaultBridge: name, table: name },
      'network/ipvlan': { owner: name },
      'network/macvlan': { owner: name },
      'ipam/default': { pools: poolsOf(number) },
      ...options.drivers,
      'runtime/runc': { cgroupParent, ...options.drivers?.['runtime/runc'] },
    },
    plugins: {
      'external-plugins': { socketDirectories: [path.join(directory, 'plugins')], specDirectories: [] },
      'managed-plugins': { cgroupParent },
      containers: { cgroupParent },
      ...options.plugins,
      'engine-api': { hosts: [`unix://${socket}`], ...options.plugins?.['engine-api'] },
    },
  };
  await writeFile(file, JSON.stringify(configuration));
  return file;
}

/** In the form of the cgroup driver that the daemon will have: a slice below others would outlive the test. */
async function parentCgroup(name: string, options: DaemonOptions): Promise<string> {
  const { cgroupDriver } = (options.drivers?.['runtime/runc'] ?? {}) as { readonly cgroupDriver?: string };
  return (cgroupDriver ?? (await defaultCgroupDriver())) === 'systemd'
    ? `${name.replaceAll('-', '_')}.slice`
    : `/${name}`;
}

async function defaultCgroupDriver(): Promise<string> {
  const marks = ['/run/systemd/system', '/sys/fs/cgroup/cgroup.controllers'];
  const found = await Promise.all(
    marks.map((mark) =>
      access(mark).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(false) ? 'cgroupfs' : 'systemd';
}

/**
 * Subnets of its own, for two daemons that look for free ones at the same moment find the same: eight of 126 addresses
 * by the process and the daemon (sixteen at a time in one file), and what all have when these are used up.
 */
function poolsOf(daemon: number): readonly { base: string; size: number }[] {
  const block = process.pid % 320;
  const own = `10.${128 + Math.floor(block / 4)}.${(block % 4) * 64 + (daemon % 16) * 4}.0/22`;
  return [
    { base: own, size: 25 },
    { base: '192.168.0.0/16', size: 20 },
  ];
}
