import { constants, open } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isErrno } from '@gantry/lib-linux';
import { ifPresent } from '../if-present.js';

const openFd = promisify(open) as (path: string, flags: number) => Promise<number>;

/** Descriptors of a monitor that are pipes to the daemon and not to its process. */
const reportingFds = new Set(['0', '1', '2', '3', '4', '5']);

/** The pipe a process reads its stdin from, as the kernel names it. Undefined when it is something else. */
export async function stdinPipeOf(pid: number): Promise<string | undefined> {
  const target = await ifPresent(readlink(`/proc/${pid}/fd/0`));
  return target?.startsWith('pipe:') === true ? target : undefined;
}

/**
 * Opens the pipe that a monitor writes its process's stdin to. Without `pipe` it is the only one the monitor has open
 * for writing, which holds until it has started the process.
 * @returns a descriptor that the caller closes; undefined when the monitor has closed it or has exited.
 */
export async function openStdinPipe(monitorPid: number, pipe?: string): Promise<number | undefined> {
  const folder = `/proc/${monitorPid}/fd`;
  for (const name of (await ifPresent(readdir(folder))) ?? []) {
    if (reportingFds.has(name)) continue;
    const path = join(folder, name);
    const target = await ifPresent(readlink(path));
    const isIt = pipe === undefined ? target?.startsWith('pipe:') === true : target === pipe;
    if (!isIt || !(await isOpenForWriting(path))) continue;
    try {
      return await openFd(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      // ENXIO: the pipe has no reader any more.
      if (isErrno(error, 'ENOENT', 'ENXIO', 'ESRCH')) return undefined;
      throw error;
    }
  }
  return undefined;
}

/** The kernel shows how a descriptor was opened in the permissions of its link. */
async function isOpenForWriting(path: string): Promise<boolean> {
  const status = await ifPresent(lstat(path));
  return status !== undefined && (status.mode & 0o600) === 0o200;
}
