import type { Hash } from 'node:crypto';

/** Of the format, which is raised when an older engine could not read a backup correctly. */
export const formatVersion = 1;
export const formatName = 'gantry-backup';

/** The first line of a backup. */
export interface Header {
  readonly format: typeof formatName;
  readonly version: number;
  /** RFC 3339. */
  readonly createdAt: string;
  /** The version of the engine that made it. */
  readonly engine: string;
  /** Whose data it is: empty, or the user mapping's own data root, such as `100000.100000`. */
  readonly mapping: string;
  readonly images: boolean;
}

/** What begins with each further line. Paths are relative to the data root. */
export type Item =
  /** What follows up to the next one belongs to this path, and replaces what was there before. */
  | { readonly kind: 'entry'; readonly path: string }
  | {
      readonly kind: 'directory';
      readonly path: string;
      readonly mode: number;
      readonly uid: number;
      readonly gid: number;
    }
  /** An archive of what is under a name in a directory follows. */
  | { readonly kind: 'tree'; readonly directory: string; readonly name: string }
  | End;

/** The last line. */
export interface End {
  readonly kind: 'end';
  /** All that is in the backup: what was read and is not listed was removed while the backup was made. */
  readonly entries: readonly string[];
  /** What the engine has and the backup has not, for people. */
  readonly leftOut: readonly string[];
  /** Of all bytes before this line, and of what else is in it. */
  readonly sha256: string;
}

/** The digest that the last line has. @param before of all bytes before it. */
export const digestWith = (before: Hash, { entries, leftOut }: Pick<End, 'entries' | 'leftOut'>): string =>
  before
    .copy()
    .update(JSON.stringify([entries, leftOut]))
    .digest('hex');
