import { rmdirSync } from 'node:fs';
import { type ByteString, joined } from '@gantry/lib-archive/tar';
import { isErrno } from '@gantry/lib-linux';
import type { SizeRequest, TreeRequest } from '../pool/jobs.js';
import { withChroot } from './chroot.js';
import type { JobContext } from './job-context.js';
import { entriesOf, removeContent } from './remove-below.js';
import { statusOf } from './status.js';
import { treeGrowth } from './tree-difference.js';

/** Sum of the sizes of everything but directories, files with several names once. */
export async function size({ directory, base }: SizeRequest, context: JobContext): Promise<number> {
  if (base !== undefined) return treeGrowth({ tree: directory, base }, context);
  const counted = new Set<number>();
  const sizeBelow = (path: ByteString): number => {
    context.throwIfAborted();
    let bytes = 0;
    for (const entry of entriesOf(path)) {
      const child = joined(path, entry.name);
      if (entry.isDirectory()) {
        bytes += sizeBelow(child);
        continue;
      }
      const status = statusOf(child);
      if (status === undefined || counted.has(status.ino)) continue;
      if (status.nlink > 1) counted.add(status.ino);
      bytes += status.size;
    }
    return bytes;
  };
  return withChroot(directory, context.calls, () => sizeBelow(''));
}

/** Removes a directory with everything in it. */
export async function remove({ directory }: TreeRequest, context: JobContext): Promise<undefined> {
  try {
    await withChroot(directory, context.calls, () =>
      removeContent('', {
        onFile: () => {
          context.throwIfAborted();
          return true;
        },
      }),
    );
    rmdirSync(directory);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
  return undefined;
}
