import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ArchiveDriver } from '@gantry/core/contracts';
import { conflict, kindOf } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux';
import { type BackupWriter, piecesOf } from '../format/backup-writer.js';

/** Directories with the files of containers, which their processes change: this process does not go into them by itself. */
const contents = ['_data', 'diff', 'merged'];

interface PackContext {
  readonly dataRoot: string;
  readonly archive: ArchiveDriver;
  /** Mount points below the data root, absolute. */
  readonly mounts: readonly string[];
}

/**
 * Writes what is at a path of the data root, without what is mounted there. What has gone is left out.
 * @returns the mount points that were left out.
 */
export async function packEntry(writer: BackupWriter, path: string, context: PackContext): Promise<readonly string[]> {
  const { dataRoot, mounts } = context;
  const whole = join(dataRoot, path);
  if (mounts.includes(whole)) {
    // Not looked at: it may be on a server that does not answer.
    await writer.item({ kind: 'directory', path, mode: 0o755, uid: 0, gid: 0 });
    return basename(path) === 'merged' ? [] : [whole];
  }
  const below = mounts.filter((mount) => mount.startsWith(`${whole}/`));
  if (below.length === 0) {
    await packTree(writer, { root: dataRoot, path, as: dirname(path) }, context.archive);
    return [];
  }
  if (contents.includes(basename(path))) {
    throw conflict(`${below[0]} is mounted among the files of containers: unmount it, so that ${path} can be read`);
  }
  await packDirectory(writer, dataRoot, path);
  const left: string[] = [];
  for (const name of (await readdir(whole)).sort()) left.push(...(await packEntry(writer, join(path, name), context)));
  return left;
}

interface PackedTree {
  readonly root: string;
  /** Below the root. */
  readonly path: string;
  /** The directory, relative to the data root, that it is restored in. */
  readonly as: string;
}

/** Writes what is at a path, whatever it is. What has gone is left out. */
export async function packTree(
  writer: BackupWriter,
  { root, path, as }: PackedTree,
  archive: ArchiveDriver,
): Promise<void> {
  const name = basename(path);
  const stream = archive.packTree(join(root, dirname(path)), name, { name, exact: true });
  try {
    const pieces = piecesOf(stream);
    const first = await pieces.next().catch((error: unknown) => {
      if (kindOf(error) === 'not-found') return undefined;
      throw error;
    });
    if (first?.done === false) await writer.tree(as, name, first.value, pieces);
  } finally {
    stream.destroy();
  }
}

/** Writes what a directory is like, without what is in it. */
export async function packDirectory(writer: BackupWriter, root: string, path: string): Promise<void> {
  try {
    const { mode, uid, gid } = await lstat(join(root, path));
    await writer.item({ kind: 'directory', path, mode: mode & 0o7777, uid, gid });
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}
