import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';

export type Sections = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface EngineSections {
  readonly drivers: Sections;
  readonly plugins: Sections;
}

/** What distinguishes an engine from others of the host: names of links, of the firewall's table and of control groups. */
interface Identity {
  /** At most 15 bytes: the kernel's limit for the name of a link. */
  readonly name: string;
  readonly execRoot: string;
}

/** The sections of the loaded packages that keep an engine apart from every other one. */
export function isolatedSections(
  { name, execRoot }: Identity,
  loads: { readonly driver: (key: string) => boolean; readonly plugin: (id: string) => boolean },
  { cgroupDriver }: { readonly cgroupDriver?: unknown } = {},
): EngineSections {
  const drivers = {
    'network/bridge': { defaultBridge: name, table: name },
    'network/ipvlan': { owner: name },
    'network/macvlan': { owner: name },
    'ipam/default': { pools: poolsOf(name) },
    'runtime/runc': { cgroupParent: cgroupParentOf(name, cgroupDriver) },
  };
  const plugins = {
    // Plugins of the host are those of its daemon.
    'external-plugins': { socketDirectories: [path.join(execRoot, 'plugins')], specDirectories: [] },
  };
  return { drivers: only(drivers, loads.driver), plugins: only(plugins, loads.plugin) };
}

/**
 * Engines that start at the same moment find the same free subnets. Each looks in a block of its own first: one of 4096, by its
 * name, in a range that the daemon's own pools do not use.
 */
function poolsOf(name: string): readonly { readonly base: string; readonly size: number }[] {
  const block = createHash('sha256').update(name).digest().readUInt16BE() % 4096;
  return [
    { base: `10.${64 + (block >> 6)}.${(block & 63) * 4}.0/22`, size: 25 },
    { base: '192.168.0.0/16', size: 20 },
  ];
}

const only = (sections: Sections, isLoaded: (key: string) => boolean): Sections =>
  Object.fromEntries(Object.entries(sections).filter(([key]) => isLoaded(key)));

/** A path, or with systemd a slice: the driver of the runtime chooses between them in the same way. */
export function cgroupParentOf(name: string, cgroupDriver?: unknown): string {
  const hasSystemd = existsSync('/run/systemd/system') && existsSync('/sys/fs/cgroup/cgroup.controllers');
  const isSystemd = (cgroupDriver ?? (hasSystemd && !isRootless() ? 'systemd' : 'cgroupfs')) === 'systemd';
  return isSystemd ? `${name.replaceAll('-', '_')}.slice` : `/${name}`;
}

const isRootless = (): boolean => process.env.GANTRY_ROOTLESS !== undefined;
