import {
  archiveEnd,
  type ByteString,
  type EntryType,
  encodeEntry,
  joined,
  lastOf,
  paddingOf,
  parentOf,
  plainEntry,
  type TarEntry,
  whiteoutName,
} from '@gantry/lib-archive/tar';
import type { Difference } from './differences.js';
import { attributesOf, contentOf, type Found } from './host-directory.js';

/** The differences as an image layer. */
export function packDifferences(
  directory: string,
  changes: readonly Difference[],
  found: ReadonlyMap<ByteString, Found>,
): readonly Buffer[] {
  const linked = new Map<bigint, ByteString>();
  const pieces = changes.flatMap(({ path, kind }) => {
    const file = found.get(path);
    if (kind === 'deleted' || file === undefined) {
      return [encodeEntry({ ...plainEntry, mode: 0o600, name: joined(parentOf(path), whiteoutName(lastOf(path))) })];
    }
    return packFound(directory, path, file, linked);
  });
  return [...pieces, archiveEnd];
}

/** One entry of an archive. `named` says what it is called there. */
export function packFound(
  directory: string,
  path: ByteString,
  file: Found,
  linked: Map<bigint, ByteString>,
  named: (path: ByteString) => ByteString = (same) => same,
): Buffer[] {
  const { status, target } = file;
  const type = typeOf(file);
  if (type === undefined) return [];
  const first = status.isDirectory() || status.nlink < 2n ? undefined : linked.get(status.ino);
  const own = named(path);
  const name = status.isDirectory() ? `${own === '' ? '.' : own.replace(/\/$/, '')}/` : own;
  if (first !== undefined) return [encodeEntry({ ...plainEntry, mode: 0o600, name, type: 'link', linkName: first })];
  linked.set(status.ino, own);
  const content = type === 'file' ? contentOf(directory, path) : Buffer.alloc(0);
  const entry: TarEntry = {
    ...plainEntry,
    name,
    type,
    mode: Number(status.mode) & 0o7777,
    uid: Number(status.uid),
    gid: Number(status.gid),
    size: content.length,
    modified: {
      seconds: Number(status.mtimeNs / 1_000_000_000n),
      nanoseconds: Number(status.mtimeNs % 1_000_000_000n),
    },
    linkName: target,
    major: Number((status.rdev >> 8n) & 0xfffn),
    minor: Number((status.rdev & 0xffn) | ((status.rdev >> 12n) & 0xffffff00n)),
    attributes: attributesOf(directory, path),
  };
  return [encodeEntry(entry), content, Buffer.alloc(paddingOf(content.length))];
}

function typeOf({ status }: Found): EntryType | undefined {
  if (status.isFile()) return 'file';
  if (status.isDirectory()) return 'directory';
  if (status.isSymbolicLink()) return 'symlink';
  if (status.isFIFO()) return 'fifo';
  if (status.isCharacterDevice()) return 'character-device';
  return status.isBlockDevice() ? 'block-device' : undefined;
}
