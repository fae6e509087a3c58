/**
 * Something in a package's directories or in the kernel that nothing refers to any more, because a crash or a failed
 * removal left it, or that cannot be read.
 */
export interface Orphan {
  /** Its type, for people: `layer`, `upload`. */
  readonly what: string;
  /** Its path or id. */
  readonly name: string;
  /** Why it counts as an orphan. */
  readonly reason: string;
  /** Its size on the disk, if that is cheap to find out. */
  readonly bytes?: number;
  /** It could not be read and may still be of use: it is only removed on request by its name. */
  readonly isQuarantined?: boolean;
  /** Checks that it is still an orphan, then removes it. Rejects when it cannot be removed. */
  remove(): Promise<void>;
}

/** Injects what nothing refers to any more, for packages that report it. */
export interface PackageOrphans {
  /** Asks all running packages; `owner` is the name of the one that found it. */
  find(): Promise<readonly { readonly owner: string; readonly orphan: Orphan }[]>;
}
export const PackageOrphans = Symbol.for('gantry.package-orphans');
