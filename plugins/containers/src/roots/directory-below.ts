import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { StorageDriver } from '@gantry/core/contracts';

/** A directory as the layers below a writable have it; undefined when they do not. */
export async function directoryBelow(
  storage: StorageDriver,
  writable: string,
  name: string,
): Promise<Stats | undefined> {
  const parent = (await storage.writables()).find(({ id }) => id === writable)?.parent;
  if (parent === undefined) return undefined;
  // Removed at daemon start when the daemon dies before the end: no container has this id.
  const id = randomUUID();
  await storage.createWritable({ id, parent });
  try {
    return await lstat(path.join(await storage.mount(id), name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await storage.removeWritable(id);
  }
}
