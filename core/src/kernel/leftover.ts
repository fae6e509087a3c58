/**
 * Something in the places of a package that nothing needs any more: a crash, or a removal that failed, left it; or
 * something that nobody can read.
 */
export interface Leftover {
  /** What it is, for people: `layer`, `upload`. */
  readonly what: string;
  /** Its path or id. */
  readonly name: string;
  /** Why it counts as left over. */
  readonly reason: string;
  /** On the disk, if that is cheap to tell. */
  readonly bytes?: number;
  /** It could not be read and was set aside: it may be of use yet, and is removed only when that is asked for it. */
  readonly isSetAside?: boolean;
  /** Removes it; looks again first whether it is still left over. Rejects when it cannot be removed. */
  remove(): Promise<void>;
}
