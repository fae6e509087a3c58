import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const intervalMs = 2000;

/** Checks the free space of a disk until the signal aborts. Rejects when less than the minimum is free. */
export async function watchFreeSpace(
  directory: string,
  minFreeBytes: () => number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { bavail, bsize } = await statfs(directory);
    const minimum = minFreeBytes();
    if (bavail * bsize < minimum) throw new Error(`less than ${minimum} bytes are free on the disk`);
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}
