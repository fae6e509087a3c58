import { open, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Makes everything below a directory durable. */
export async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const name = path.join(directory, entry.name);
    if (entry.isDirectory()) await syncTree(name);
    else if (entry.isFile()) await sync(name);
  }
  await sync(directory);
}

async function sync(name: string): Promise<void> {
  const handle = await open(name, 'r');
  await handle.sync().finally(() => handle.close());
}
