import type { ContainerRecord } from '@gantry/containers/service';
import { EngineError, forbidden, kindOf, notFound } from '@gantry/core/errors';
import type { ClientPath } from './client-path.js';

/** Runs work on a container's files and rewords its errors as clients print them. */
export async function rewordErrors<T>(
  record: ContainerRecord,
  reference: string,
  path: ClientPath,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw reworded(record, reference, path, cause);
  }
}

function reworded(record: ContainerRecord, reference: string, path: ClientPath, cause: unknown): unknown {
  if (!EngineError.is(cause)) return cause;
  switch (kindOf(cause)) {
    case 'not-found':
      return notFound(`Could not find the file ${path.written} in container ${reference}`, { cause });
    case 'forbidden':
      return forbidden(
        isRootReadOnly(record, path) ? 'container rootfs is marked read-only' : 'mounted volume is marked read-only',
        { cause },
      );
    default:
      return cause;
  }
}

/** Judged by the path as written: symbolic links may lead elsewhere. */
function isRootReadOnly({ hostConfig, mounts }: ContainerRecord, { path }: ClientPath): boolean {
  const isBelow = (destination: string) => `${path}/`.startsWith(`${destination}/`);
  const isMounted = mounts.some(({ destination, readWrite }) => !readWrite && isBelow(destination));
  return hostConfig.ReadonlyRootfs === true && !isMounted;
}
