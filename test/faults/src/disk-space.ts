import { execFile } from 'node:child_process';
import { open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const fillerOf = (directory: string): string => path.join(directory, 'filler');

/** Takes every byte of the file system that is mounted at a directory: most of them at once, the rest by writing. */
export async function takeSpace(directory: string): Promise<void> {
  const { bfree, bsize } = await statfs(directory);
  // A file system that cannot reserve so many keeps some of them for its own records.
  await run('fallocate', ['--length', String(Math.max(1, bfree * bsize)), fillerOf(directory)]).catch(() => undefined);
  const file = await open(fillerOf(directory), 'a');
  try {
    for (let size = 2 ** 20; size >= 512; size /= 2) {
      const piece = Buffer.alloc(size, 1);
      for (;;) {
        const taken = await file.write(piece).catch(() => undefined);
        if (taken === undefined || taken.bytesWritten < size) break;
      }
    }
  } finally {
    await file.close();
  }
}

/** Frees them. */
export const freeSpace = (directory: string): Promise<void> => rm(fillerOf(directory), { force: true });
