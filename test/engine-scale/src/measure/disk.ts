import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** GiB that stay free. */
const spare = 5;

/** @throws Error when the disk of a directory is nearly full. */
export async function checkSpace(directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  const free = (bavail * bsize) / 2 ** 30;
  if (free < spare) throw new Error(`${directory}: ${free.toFixed(1)} GiB are free, and ${spare} have to stay so`);
}

/** KiB that a directory has on the disk, without what is mounted in it. */
export async function diskUse(directory: string): Promise<number> {
  // Files come and go meanwhile, which `du` reports and counts on.
  const { stdout } = await run('du', ['-skx', directory]).catch((error: { readonly stdout?: string }) => ({
    stdout: error.stdout ?? '',
  }));
  return Number(stdout.split('\t')[0]);
}
