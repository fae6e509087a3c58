import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** How many files are looked at at a time: enough to keep the disk busy, and the other users of the thread pool alive. */
const atOnce = 16;

/**
 * Bytes on disk of everything below a directory, itself left out: a file with several names counts once, and what is
 * mounted in it does not count. Files that come or go meanwhile may or may not be in it.
 */
export async function diskUsage(directory: string, signal?: AbortSignal): Promise<number> {
  const { dev } = await lstat(directory);
  const linked = new Set<number>();
  const waiting = [directory];
  let total = 0;
  const count = async (path: string): Promise<void> => {
    const file = await lstat(path).catch(() => undefined);
    if (file === undefined || file.dev !== dev) return;
    if (file.nlink > 1 && !file.isDirectory()) {
      if (linked.has(file.ino)) return;
      linked.add(file.ino);
    }
    total += file.blocks * 512;
    if (file.isDirectory()) waiting.push(path);
  };
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for await (const names of batches(next)) {
      signal?.throwIfAborted();
      await Promise.all(names.map((name) => count(join(next as string, name))));
    }
  }
  return total;
}

async function* batches(directory: string): AsyncGenerator<string[]> {
  const entries = await opendir(directory, { bufferSize: 256 }).catch(() => undefined);
  if (entries === undefined) return;
  let batch: string[] = [];
  for await (const { name } of entries) {
    batch.push(name);
    if (batch.length === atOnce) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}
