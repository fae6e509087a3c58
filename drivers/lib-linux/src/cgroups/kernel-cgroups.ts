import { readFile } from 'node:fs/promises';
import { isErrno, LinuxError } from '../errors/linux-error.js';
import type { Cgroup, Cgroups } from './cgroups.js';
import { KernelCgroup } from './kernel-cgroup.js';
import { type CompleteLayout, type Hierarchy, readLayout } from './read-layout.js';

let layoutOnce: Promise<CompleteLayout> | undefined;

function layout(): Promise<CompleteLayout> {
  layoutOnce ??= readLayout().catch((error: unknown) => {
    layoutOnce = undefined;
    throw error;
  });
  return layoutOnce;
}

async function group(path: string): Promise<Cgroup> {
  if (path.split('/').includes('..')) throw new TypeError(`"${path}" is not the path of a cgroup`);
  const absolute = path.startsWith('/') ? path : `/${path}`;
  return new KernelCgroup(absolute, await layout(), () => absolute);
}

async function ofProcess(pid: number): Promise<Cgroup> {
  const found = await layout();
  const text = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch((cause: unknown) => {
    if (isErrno(cause, 'ENOENT', 'ESRCH')) throw new LinuxError('ENOENT', 'open', { path: `process ${pid}`, cause });
    throw cause;
  });
  const paths = parseProcessCgroups(text);
  const place = (hierarchy: Hierarchy): string => {
    const key = hierarchy.version === 2 ? '' : hierarchy.controllers.join();
    return belowRoot(paths.get(key) ?? '/', hierarchy.root);
  };
  const main = found.hierarchies.find(({ controllers }) => controllers.includes('memory')) ?? found.hierarchies[0];
  return new KernelCgroup(main === undefined ? '/' : place(main), found, place);
}

/** Reads the text of /proc/PID/cgroup: the path by the controllers of each hierarchy, none for version 2. */
export function parseProcessCgroups(text: string): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const [, controllers = '', path = '/'] of text.matchAll(/^\d+:([^:]*):(.*)$/gm)) paths.set(controllers, path);
  return paths;
}

/** In a container the mount may show a part of the tree. */
function belowRoot(path: string, root: string): string {
  if (root === '/' || (path !== root && !path.startsWith(`${root}/`))) return path;
  return path.slice(root.length) || '/';
}

export const kernelCgroups: Cgroups = { layout, group, ofProcess };
