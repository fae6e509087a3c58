import type { Readable } from 'node:stream';

interface ListedPath {
  readonly isDirectory: boolean;
  /** Equal only where the entry is; empty where that cannot be known. */
  readonly fingerprint: string;
}

/** The entries of a directory by path. A directory is listed before what is in it. */
export type ContextListing = ReadonlyMap<string, ListedPath>;

/** One transfer of a client's directory. */
export interface ContextTransfer {
  /** For people. */
  readonly description: string;
  /** Bytes of the files that are listed; known when `list` has resolved. */
  readonly size: number;
  /** Called at most once, before `archive`. */
  list(): Promise<ContextListing>;
  /** An uncompressed tar of the directory without those entries. Called once. An error of the stream fails the step. */
  archive(without: ReadonlySet<string>): Readable;
}
