import { servicePoint } from '@gantry/core/points';
import { kernelFiles } from './kernel-files.js';
export type DeviceKind = 'block' | 'character';

/** Seconds since 1970 with nanoseconds, exact. */
export interface FileTime {
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** Bytes for a name that is not UTF-8, which Linux allows. */
export type FilePath = string | Uint8Array;

export interface OpenInOptions {
  /** Flags of open(2), O_RDONLY by default; O_CLOEXEC is added. */
  readonly flags?: number;
  readonly mode?: number;
  /**
   * `in-root` (the default): the directory is the root, also for links and `..`. `beneath`: leaving the
   * directory is an error, `EXDEV`.
   */
  readonly resolve?: 'in-root' | 'beneath';
  /** Rejects `ELOOP` at any symbolic link. */
  readonly noSymlinks?: boolean;
}

/** A lock on a file, held by this process until it ends. */
export interface FileLock {
  readonly fd: number;
  release(): void;
}

/**
 * What Node's `fs` lacks. Synchronous, a few µs each on a local filesystem: in the daemon's main thread for single
 * calls only, in worker threads for many. Throws LinuxError. A symbolic link as the last component is never followed.
 */
export interface Files {
  /** Permission bits as given: the process's umask applies. */
  makeDevice(path: FilePath, kind: DeviceKind, major: number, minor: number, mode: number): void;
  makeFifo(path: FilePath, mode: number): void;

  /** Extended attribute. Absent: undefined. */
  getAttribute(path: FilePath, name: string): Buffer | undefined;
  setAttribute(path: FilePath, name: string, value: Uint8Array): void;
  /** Absent: does nothing. */
  removeAttribute(path: FilePath, name: string): void;
  /** None where the filesystem has no attributes. */
  listAttributes(path: FilePath): readonly string[];

  setTimes(path: FilePath, accessed: FileTime, modified: FileTime): void;
  /** Undefined when the filesystem does not keep it. */
  birthTime(path: string): FileTime | undefined;

  /**
   * Opens a path below a directory; no link inside can lead outside of it. The caller closes the descriptor.
   * `directory` is a path or a descriptor.
   */
  openIn(directory: string | number, path: string, options?: OpenInOptions): number;

  /** Exchanges two names atomically. */
  exchange(one: string, other: string): void;
  /** Renames; throws `EEXIST` when the new name is taken. */
  renameNew(from: string, to: string): void;

  /** False when another process holds it. */
  tryLock(fd: number, kind?: 'exclusive' | 'shared'): boolean;
  unlock(fd: number): void;
  /** Creates the file if necessary and locks it. Undefined when another process holds the lock. */
  lockFile(path: string): FileLock | undefined;

  /** Writes back everything of the filesystem a path is on. Slow: off the calling thread. */
  syncFilesystem(path: string): Promise<void>;

  /** The umask of the process; of the thread alone once it is confined. @returns the one before. */
  setUmask(mask: number): number;
}

export const Files = servicePoint<Files>('linux.files', { fallback: () => kernelFiles });

/**
 * A tmpfs in the mount namespace of a container, reached through one of its processes, whose root must be the tree: with
 * another root, or when the process has exited, nothing is mounted.
 */
export interface ProcessTmpfs {
  readonly pid: number;
  /** As the process sees it. */
  readonly path: string;
}

/** Something that is shown in a tree. */
export interface PlacedMount {
  /** A directory of the host, with what is mounted in it, a file, or a tmpfs of a container. */
  readonly source: string | ProcessTmpfs;
  /** Inside the tree, whose links do not lead out of it. Made when it is not there, parents too. */
  readonly target: string;
  readonly readOnly: boolean;
}

export interface TreeOptions {
  /** A later one may be inside an earlier one; the order does not matter. */
  readonly mounts: readonly PlacedMount[];
  /** Nothing outside of the mounts can be changed. */
  readonly readOnly?: boolean;
}

/**
 * A worker thread whose root directory is another one. Only what the thread itself does is confined: synchronous `fs`
 * calls are, promise and callback ones run on other threads and are not.
 */
export interface Confinement {
  /** Gives the thread the real root back. A second time: does nothing. */
  release(): void;
}
