import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';

/** Bytes that the files below a directory have on disk, those with several names once. */
export async function directorySize(directory: string, signal?: AbortSignal): Promise<number> {
  const seen = new Set<string>();
  const visit = async (place: string): Promise<number> => {
    let bytes = 0;
    for await (const entry of await opendir(place)) {
      signal?.throwIfAborted();
      const file = path.join(place, entry.name);
      const status = await lstat(file).catch(() => undefined);
      if (status === undefined) continue;
      if (status.isDirectory()) bytes += await visit(file);
      const key = `${status.dev}:${status.ino}`;
      if (status.nlink > 1 && !status.isDirectory()) {
        if (seen.has(key)) continue;
        seen.add(key);
      }
      bytes += status.blocks * 512;
    }
    return bytes;
  };
  return visit(directory);
}
