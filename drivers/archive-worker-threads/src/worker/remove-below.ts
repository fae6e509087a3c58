import { type Dirent, readdirSync, renameSync, rmdirSync, type Stats, unlinkSync } from 'node:fs';
import { type ByteString, joined } from '@gantry/lib-archive/tar';
import { isErrno } from '@gantry/lib-linux';
import { nativePath } from './native-path.js';

interface Removal {
  /** Called with everything before it goes. False keeps it, and the directories it is in. */
  onFile?(path: ByteString): boolean;
  /** Called when the directory has gone. */
  onDirectory?(path: ByteString): void;
  /** Directories to keep, whose content may go. */
  keepDirectory?(path: ByteString): boolean;
}

/** Longer paths are not taken by system calls; a container can nest deeper, by changing into what it makes. */
const longestPath = 3500;

/** Removes one thing, with everything in it. @returns whether it has gone. */
export function removeAt(path: ByteString, status: Stats | Dirent, removal: Removal = {}): boolean {
  return status.isDirectory() ? removeDirectory(path, removal) : removeFile(path, removal);
}

function removeFile(path: ByteString, { onFile }: Removal): boolean {
  if (onFile?.(path) === false) return false;
  try {
    unlinkSync(nativePath(path));
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
  return true;
}

function removeDirectory(path: ByteString, removal: Removal): boolean {
  const keep = removal.keepDirectory?.(path) === true;
  for (let tries = 1; ; tries++) {
    const gone = removeContent(path, removal);
    if (keep || !gone) return false;
    try {
      rmdirSync(nativePath(path));
      removal.onDirectory?.(path);
      return true;
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return true;
      // A running process has made a new file in it.
      if (!isErrno(error, 'ENOTEMPTY') || tries === maxTries) throw error;
    }
  }
}

const maxTries = 10;

/** Empties a directory. @returns whether it is empty. */
export function removeContent(path: ByteString, removal: Removal = {}): boolean {
  let empty = true;
  for (const entry of entriesOf(path)) {
    const child = shortened(joined(path, entry.name), entry);
    if (!removeAt(child, entry, removal)) empty = false;
  }
  return empty;
}

let moved = 0;

/** Moves a directory that is too deep up to the root, where its content can be reached. */
function shortened(path: ByteString, entry: Dirent): ByteString {
  if (path.length < longestPath || !entry.isDirectory()) return path;
  const higher = `.too-deep-${process.pid}-${moved++}`;
  renameSync(nativePath(path), nativePath(higher));
  return higher;
}

/** The entries of a directory, their names one character a byte. Absent: none. */
export function entriesOf(path: ByteString): Dirent[] {
  try {
    return readdirSync(nativePath(path), { withFileTypes: true, encoding: 'latin1' });
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
