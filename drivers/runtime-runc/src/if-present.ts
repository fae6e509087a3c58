import { isErrno } from '@gantry/lib-linux';

/** What the promise resolves to; undefined when it rejects because there is no such file or process. */
export async function ifPresent<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ESRCH')) return undefined;
    throw error;
  }
}
