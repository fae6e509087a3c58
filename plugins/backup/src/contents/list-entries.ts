import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '@gantry/lib-linux';

/** A part of the data root that appears and disappears as a whole, such as a volume, a layer or a file of a package. */
export interface Entry {
  /** Relative to the data root. */
  readonly path: string;
  /** Another one when it was made anew under the same name; of files, which are replaced as a whole, always 0. */
  readonly inode: number;
}

export interface Listing {
  readonly entries: readonly Entry[];
  /** The directories that the entries are in, those above before those below. */
  readonly directories: readonly string[];
}

/** Directories whose entries have lifetimes of their own. */
const collections = ['layers', 'writables', 'volumes'];
/** What a start deletes, or is of this moment alone. */
const temporary = ['tmp', 'uploads', 'outgoing'];

/**
 * Lists what is in a data root. @param isIncluded says of the directory of a package, such as `drivers/volume-local`,
 * whether it is to be listed.
 */
export async function listEntries(dataRoot: string, isIncluded: (path: string) => boolean): Promise<Listing> {
  const entries: Entry[] = [];
  const directories: string[] = [];
  const add = async (path: string): Promise<void> => {
    const status = await lstat(join(dataRoot, path)).catch((error: unknown) => {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    });
    if (status !== undefined) entries.push({ path, inode: status.isDirectory() ? status.ino : 0 });
  };
  for (const group of ['drivers', 'plugins']) {
    const packages = await namesIn(join(dataRoot, group));
    if (packages.length > 0) directories.push(group);
    for (const each of packages.map((name) => join(group, name)).filter(isIncluded)) {
      directories.push(each);
      for (const name of await namesIn(join(dataRoot, each))) {
        if (temporary.includes(name)) continue;
        const path = join(each, name);
        if (!collections.includes(name)) {
          await add(path);
          continue;
        }
        directories.push(path);
        const made = (await namesIn(join(dataRoot, path))).filter((child) => !child.startsWith('.'));
        for (const child of made) await add(join(path, child));
      }
    }
  }
  return { entries, directories };
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
