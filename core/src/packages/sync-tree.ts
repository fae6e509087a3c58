import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { syncPath } from '../files/sync-path.js';

/** Makes everything below a directory durable. */
export async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const name = path.join(directory, entry.name);
    if (entry.isDirectory()) await syncTree(name);
    else if (entry.isFile()) await syncPath(name);
  }
  await syncPath(directory);
}
