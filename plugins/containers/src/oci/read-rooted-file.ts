import { constants } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import path from 'node:path';

/** Files this large are no passwd or group file. */
const sizeLimit = 4 * 2 ** 20;

/**
 * Reads a file below a root as a process with that root would: links never lead out of it. A container that changes
 * links meanwhile gets nothing: what was opened is asked where it lies.
 * @returns undefined when there is no such regular file.
 */
export async function readRootedFile(root: string, file: string): Promise<string | undefined> {
  const resolved = await resolveRooted(root, file).catch(() => undefined);
  if (resolved === undefined) return undefined;
  const handle = await open(resolved, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (handle === undefined) return undefined;
  try {
    const [place, status] = await Promise.all([readlink(`/proc/self/fd/${handle.fd}`), handle.stat()]);
    if (!status.isFile() || status.size > sizeLimit || !place.startsWith(`${root.replace(/\/$/, '')}/`))
      return undefined;
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** The host path of a path below a root, links followed inside the root. Rejects for a loop and what is not there. */
async function resolveRooted(root: string, file: string): Promise<string> {
  let rest = file.split('/').filter((part) => part !== '');
  let current = '/';
  for (let links = 0; rest.length > 0; ) {
    const [part = '', ...after] = rest;
    rest = after;
    const next = path.posix.join(current, part);
    const status = await lstat(path.join(root, next));
    if (!status.isSymbolicLink()) {
      current = next;
      continue;
    }
    links += 1;
    if (links > 40) throw new Error('too many links');
    const target = await readlink(path.join(root, next));
    rest = [...target.split('/').filter((piece) => piece !== ''), ...rest];
    if (target.startsWith('/')) current = '/';
  }
  return path.join(root, current);
}
