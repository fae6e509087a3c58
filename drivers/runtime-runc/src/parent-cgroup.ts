import { rmdir } from 'node:fs/promises';
import { isErrno } from '@gantry/lib-linux';
import type { Ports } from './ports.js';

/** Removes the group that tasks get theirs in, if no task is left. */
export async function removeParentCgroup(ports: Ports, path: string): Promise<void> {
  const group = await ports.cgroups.group(path);
  await Promise.all(
    group.directories().map(async (directory) => {
      try {
        await rmdir(directory);
      } catch (error) {
        if (!isErrno(error, 'ENOENT', 'EBUSY', 'ENOTEMPTY')) throw error;
      }
    }),
  );
}
