import { open } from 'node:fs/promises';

/** Makes a file's content durable, or the names in a directory. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
