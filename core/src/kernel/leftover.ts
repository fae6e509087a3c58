/** Something in the places of a package that nothing needs any more: a crash, or a removal that failed, left it. */
export interface Leftover {
  /** What it is, for people: `layer`, `upload`. */
  readonly what: string;
  /** Its path or id. */
  readonly name: string;
  /** Why it counts as left over. */
  readonly reason: string;
  /** On the disk, if that is cheap to tell. */
  readonly bytes?: number;
  /** Removes it; looks again first whether it is still left over. Rejects when it cannot be removed. */
  remove(): Promise<void>;
}
