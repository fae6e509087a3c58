import { chown, lstat, mkdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import type { FileOwner } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';

/** As many links as the kernel follows. */
const maxLinks = 40;

/**
 * Creates a directory and those above it below a root that no process uses. Links are followed inside the root.
 * @param owner on the host, of the directories that are made.
 * @throws EngineError `invalid-argument` where something else than a directory is in the way.
 */
export async function createRootedDirectory(root: string, directory: string, owner: FileOwner): Promise<void> {
  const wrong = (reason: string) => invalidArgument(`WorkingDir: cannot create ${directory}: ${reason}`);
  let rest = directory.split('/').filter((part) => part !== '');
  let current = '/';
  for (let links = 0; rest.length > 0; ) {
    const [part = '', ...after] = rest;
    rest = after;
    const next = path.posix.join(current, part);
    const kind = await kindOfEntry(path.join(root, next));
    if (kind === 'link') {
      links += 1;
      if (links > maxLinks) throw wrong('too many links');
      const target = await readlink(path.join(root, next));
      rest = [...target.split('/').filter((piece) => piece !== ''), ...rest];
      if (target.startsWith('/')) current = '/';
      continue;
    }
    if (kind === 'other') throw wrong(`${next} is not a directory`);
    if (kind === 'absent') await makeDirectory(path.join(root, next), owner);
    current = next;
  }
}

async function makeDirectory(directory: string, { uid, gid }: FileOwner): Promise<void> {
  await mkdir(directory, { mode: 0o755 });
  if (uid !== 0 || gid !== 0) await chown(directory, uid, gid);
}

async function kindOfEntry(file: string): Promise<'directory' | 'link' | 'other' | 'absent'> {
  try {
    const status = await lstat(file);
    if (status.isSymbolicLink()) return 'link';
    return status.isDirectory() ? 'directory' : 'other';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'absent';
    throw error;
  }
}
