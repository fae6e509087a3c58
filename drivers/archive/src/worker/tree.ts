import { rmdirSync } from 'node:fs';
import { isErrno } from '@gantry/lib-linux';
import type { TreeRequest } from '../pool/requests.js';
import type { ByteString } from '../tar/entry.js';
import { joined } from '../tar/names.js';
import { confined } from './confined-root.js';
import type { JobContext } from './job-context.js';
import { entriesOf, removeContent } from './remove-below.js';
import { statusOf } from './status.js';

/** Sum of the sizes of everything but directories, files with several names once. */
export async function size({ directory }: TreeRequest, context: JobContext): Promise<number> {
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
  return confined(directory, () => sizeBelow(''));
}

/** Removes a directory with everything in it. */
export async function remove({ directory }: TreeRequest, context: JobContext): Promise<undefined> {
  try {
    await confined(directory, () =>
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
