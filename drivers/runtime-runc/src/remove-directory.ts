import { rm } from 'node:fs/promises';
import { isErrno } from '@gantry/lib-linux';
import { kernelMounts } from '@gantry/lib-linux/mounts';

/** Removes the directory of a task or an exec. A runtime that was killed early may have left itself mounted on a file in it. */
export async function removeDirectory(directory: string): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true });
  } catch (error) {
    if (!isErrno(error, 'EBUSY')) throw error;
    await kernelMounts.unmountTree(directory);
    await rm(directory, { recursive: true, force: true });
  }
}
