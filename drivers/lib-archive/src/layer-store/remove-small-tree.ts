import { readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes a tree of a few entries without a worker. Only for one that no other process can change any more, since it
 * uses paths. @returns false, with a part removed, when there were more than `limit`.
 */
export async function removeSmallTree(directory: string, limit = 64): Promise<boolean> {
  let remaining = limit;
  const removeIn = async (path: string): Promise<boolean> => {
    const entries = await readdir(path, { withFileTypes: true });
    remaining -= entries.length;
    if (remaining < 0) return false;
    const removals = entries.map(async (entry) => {
      const child = join(path, entry.name);
      if (entry.isDirectory()) return removeIn(child);
      await unlink(child);
      return true;
    });
    if ((await Promise.all(removals)).includes(false)) return false;
    await rmdir(path);
    return true;
  };
  try {
    return await removeIn(directory);
  } catch {
    // Odd names, odd attributes, or already gone: left to the worker.
    return false;
  }
}
