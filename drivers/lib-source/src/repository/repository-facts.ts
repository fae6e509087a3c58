/** A person named by commits of the source, as author or committer. */
export interface SourceAuthor {
  /** The address in the converted commits: the source's own, or a generated one (`alice@<uuid of the repository>`). */
  readonly remoteId: string;
  /** The name in the converted commits: the source's own, or its username. */
  readonly remoteName: string;
  /** A valid address to begin with; `remoteId` unless that is invalid. */
  readonly email: string;
  /** A name to begin with; `remoteName` unless that is empty. */
  readonly name: string;
  /** How many commits name it as their author. */
  readonly commits: number;
}

/** The name and address that replace an author's, identified by remote id and name together. */
export interface AuthorMapping {
  readonly remoteId: string;
  readonly remoteName: string;
  readonly name: string;
  readonly email: string;
}

/** A file of the source's history over the limit, at one path of one ref (the first of several). */
export interface LargeFile {
  /** A ref whose history contains it: `refs/heads/master`. */
  readonly refName: string;
  readonly path: string;
  /** The blob's id in the converted history: stable over rewrites. */
  readonly oid: string;
  /** In bytes. */
  readonly size: number;
}

/** What happens to large files: kept in the history, moved to Git LFS, or removed from every commit. */
export type LargeFileChoice = 'keep' | 'lfs' | 'remove';
