import type { FileTime } from '@gantry/lib-linux';

/**
 * Text with one character a byte (latin1). Names in archives and on Linux are bytes and need not be UTF-8; in this form
 * they compare and sort as bytes do.
 */
export type ByteString = string;

export type EntryType = 'file' | 'link' | 'symlink' | 'character-device' | 'block-device' | 'directory' | 'fifo';

/** A piece of a sparse file that holds data. */
export interface SparseRegion {
  readonly offset: number;
  readonly length: number;
}

/** Which parts of a file an archive has; everything else is a hole. */
export interface SparseMap {
  readonly realSize: number;
  /** In ascending order, without overlaps. */
  readonly regions: readonly SparseRegion[];
}

/** One member of an archive, with everything its headers said about it. */
export interface TarEntry {
  /** As in the archive: it may be absolute, hold `..` or end with a slash. */
  readonly name: ByteString;
  readonly type: EntryType;
  /** Permission bits, with setuid, setgid and sticky. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Bytes of payload; 0 for everything but a file. */
  readonly size: number;
  readonly modified: FileTime;
  /** Undefined when the archive does not say. */
  readonly accessed: FileTime | undefined;
  /** Target of a link or symlink. */
  readonly linkName: ByteString;
  /** Device numbers. */
  readonly major: number;
  readonly minor: number;
  /** Extended attributes by name. */
  readonly attributes: ReadonlyMap<ByteString, Buffer>;
  readonly sparse: SparseMap | undefined;
}

/** A file without name, content, owner or time: what an entry is where nothing else is said. */
export const plainEntry: TarEntry = {
  name: '',
  type: 'file',
  mode: 0o644,
  uid: 0,
  gid: 0,
  size: 0,
  modified: { seconds: 0, nanoseconds: 0 },
  accessed: undefined,
  linkName: '',
  major: 0,
  minor: 0,
  attributes: new Map(),
  sparse: undefined,
};
