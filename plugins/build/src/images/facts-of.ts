import { createHash } from 'node:crypto';
import type { TreeListing } from '@gantry/core/contracts';

/** A path of an immutable tree. */
export interface TreeFacts {
  /** With links resolved. */
  readonly path: string;
  /** As in `st_mode`; undefined when the path does not exist. */
  readonly mode: number | undefined;
  /** Digest of its content; of a directory without its own metadata. */
  readonly digest: string;
}

/** A tree that COPY and ADD take files from. */
export interface SourceTree {
  /** Host path. Links are resolved inside it. */
  directory(): Promise<string>;
  facts(path: string, options: { readonly signal: AbortSignal }): Promise<TreeFacts>;
  /** Everything at and below a path, with digests. */
  listing(path: string, options: { readonly signal: AbortSignal }): Promise<TreeListing>;
  /** Start of the error message for an absent path. */
  readonly absenceMessage: string;
}

export function factsOf({ path, mode, entries }: TreeListing): TreeFacts {
  const hash = createHash('sha256');
  for (const entry of entries) {
    if (entry.path !== '' || entries.length === 1) hash.update(`${entry.path}\0${entry.digest}\0`);
  }
  return { path, mode, digest: hash.digest('hex') };
}
