import { readdir, rmdir } from 'node:fs/promises';
import path from 'node:path';

const root = '/sys/fs/cgroup';

/** Removes the parents of an engine's control groups, in each hierarchy, when no container is left in them. */
export async function removeCgroups(parent: string): Promise<void> {
  const hierarchies = ['', ...(await readdir(root).catch(() => []))];
  for (const hierarchy of hierarchies) await removeEmpty(path.join(root, hierarchy, parent));
}

async function removeEmpty(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeEmpty(path.join(directory, entry.name));
  try {
    await rmdir(directory);
  } catch (error) {
    // Other hierarchies have none; a slice of systemd is systemd's to remove.
    if (
      !['ENOENT', 'ENOTDIR', 'EBUSY', 'EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')
    )
      throw error;
  }
}
