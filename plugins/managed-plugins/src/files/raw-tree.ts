import type { Dirent, Stats } from 'node:fs';
import { chmod, chown, lstat, mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { internal } from '@gantry/core/errors';

/**
 * Paths relative to a directory, with one character for each byte: file names of Linux are bytes, and need not be UTF-8.
 */
type RawPath = string;

const at = (directory: string, path: RawPath): Buffer =>
  Buffer.concat([Buffer.from(directory), Buffer.from(path === '' ? '' : `/${path}`, 'latin1')]);

const below = (path: RawPath, name: string): RawPath => (path === '' ? name : `${path}/${name}`);

const entriesOf = (directory: string, path: RawPath): Promise<Dirent[]> =>
  readdir(at(directory, path) as unknown as string, { withFileTypes: true, encoding: 'latin1' });

/** The paths of all entries. Links are not followed. */
export async function listTree(directory: string, path: RawPath = ''): Promise<RawPath[]> {
  const found: RawPath[] = [];
  for (const entry of await entriesOf(directory, path)) {
    const own = below(path, entry.name);
    found.push(own);
    if (entry.isDirectory()) found.push(...(await listTree(directory, own)));
  }
  return found;
}

interface MoveOptions {
  /** An entry that stays; what is in a directory that stays is looked at. */
  readonly stays: (path: RawPath) => boolean;
  /** A directory that is not looked at. */
  readonly skips: (path: RawPath) => boolean;
}

/** Moves all other entries to the same paths below another directory of the file system. May be repeated. */
export async function moveOut(from: string, to: string, options: MoveOptions, path: RawPath = ''): Promise<void> {
  for (const entry of await entriesOf(from, path)) {
    const own = below(path, entry.name);
    if (options.skips(own)) continue;
    if (!options.stays(own)) {
      await copyDirectories(from, to, path);
      await rename(at(from, own), at(to, own));
    } else if (entry.isDirectory()) await moveOut(from, to, options, own);
  }
}

/**
 * Moves everything back. Directories are merged; a file replaces one of the same path. Rejects `internal` where one side
 * has a directory and the other has not. May be repeated.
 */
export async function moveBack(from: string, to: string, path: RawPath = ''): Promise<void> {
  for (const entry of await entriesOf(from, path)) {
    const own = below(path, entry.name);
    const there = await statusOf(to, own);
    if (there === undefined || (!there.isDirectory() && !entry.isDirectory())) {
      await rename(at(from, own), at(to, own));
    } else if (there.isDirectory() && entry.isDirectory()) {
      await moveBack(from, to, own);
    } else {
      throw internal(
        `the plugin's data at /${own} cannot be restored: the plugin's image has ${there.isDirectory() ? 'a directory' : 'a file'} there`,
      );
    }
  }
  await rmdir(at(from, path));
}

/** Makes the directories of the path with modes and owners of their originals. */
async function copyDirectories(from: string, to: string, path: RawPath): Promise<void> {
  if ((await statusOf(to, path)) !== undefined) return;
  if (path !== '') await copyDirectories(from, to, path.split('/').slice(0, -1).join('/'));
  const { gid, mode, uid } = await lstat(at(from, path));
  await mkdir(at(to, path), { recursive: path === '' });
  await chown(at(to, path), uid, gid);
  await chmod(at(to, path), mode & 0o7777);
}

const statusOf = (directory: string, path: RawPath): Promise<Stats | undefined> =>
  lstat(at(directory, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
