import path from 'node:path';

/** What creates cgroups: the engine by the files of the hierarchy, or systemd. `none`: containers have none. */
export type CgroupDriver = 'cgroupfs' | 'systemd' | 'none';

/** Of the scopes that systemd has for containers: `gantry-ID.scope`. */
export const scopePrefix = 'gantry';

/**
 * `linux.cgroupsPath` of a task below a parent, as runtimes read it: a path, or with systemd the slice, a prefix and a
 * name.
 */
export const cgroupsPathBelow = (parent: string, id: string, driver: CgroupDriver = 'cgroupfs'): string =>
  driver === 'systemd' ? `${parent}:${scopePrefix}:${id}` : path.posix.join('/', parent, id);

/**
 * Where systemd has the cgroup of a slice: `a-b.slice` is `/a.slice/a-b.slice`. Undefined for what is no name of a slice
 * (systemd.slice(5)).
 */
export function slicePath(name: string): string | undefined {
  const [, stem] = /^((?!-)[A-Za-z0-9:_.\\-]*[A-Za-z0-9:_.\\])\.slice$/.exec(name) ?? [];
  if (stem === undefined || stem.includes('--')) return undefined;
  const parts = stem.split('-');
  return parts.map((_, at) => `/${parts.slice(0, at + 1).join('-')}.slice`).join('');
}
