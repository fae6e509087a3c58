import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '../errors/linux-error.js';
import { readText, writeText } from './cgroup-files.js';
import type { Hierarchy } from './read-layout.js';

/** Makes a group in one hierarchy, level by level, each ready to be used by the next. */
export async function createGroup({ mount, version, controllers }: Hierarchy, path: string): Promise<void> {
  let parent = mount;
  for (const name of path.split('/').filter((part) => part !== '')) {
    if (version === 2) await handDownControllers(parent);
    const directory = join(parent, name);
    await mkdir(directory).catch((error: unknown) => {
      if (!isErrno(error, 'EEXIST')) throw error;
    });
    if (version === 1 && controllers.includes('cpuset')) await inheritCpus(parent, directory);
    parent = directory;
  }
}

/** One by one: a controller that cannot be had (real-time processes bar `cpu`) must not cost the others. */
async function handDownControllers(directory: string): Promise<void> {
  const available = readText(join(directory, 'cgroup.controllers'));
  const handedDown = readText(join(directory, 'cgroup.subtree_control'));
  const present = new Set((handedDown ?? '').split(' '));
  for (const name of (available ?? '').split(' ')) {
    if (name === '' || present.has(name)) continue;
    await writeText(join(directory, 'cgroup.subtree_control'), `+${name}`).catch((error: unknown) => {
      if (!isErrno(error, 'EBUSY', 'ENOENT', 'EINVAL', 'EOPNOTSUPP', 'ENOTSUP')) throw error;
    });
  }
}

/** A new cpuset of version 1 is empty, and no process can be put into it. */
async function inheritCpus(parent: string, directory: string): Promise<void> {
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    if (readText(join(directory, file)) !== '') continue;
    const inherited = readText(join(parent, file));
    if (inherited !== undefined && inherited !== '') await writeText(join(directory, file), inherited);
  }
}
