import { open } from 'node:fs/promises';
import path from 'node:path';
import type { FileOwner } from '@gantry/core/contracts';

/** The file by which programs recognize that they run in a container. */
export const containerMark = '/.dockerenv';

/** Creates the mark in a root that no process uses. What is already there, of whatever kind, stays. */
export async function markRoot(root: string, { uid, gid }: FileOwner): Promise<void> {
  try {
    const mark = await open(path.join(root, containerMark), 'wx', 0o755);
    try {
      await mark.chmod(0o755);
      await mark.chown(uid, gid);
    } finally {
      await mark.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
