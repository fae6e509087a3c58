/** Somebody who wrote commits of the source. Author and committer of a commit count alike. */
export interface SourceAuthor {
  /** The address in the converted commits: the source's own, or a generated one (`alice@<uuid of the repository>`). */
  readonly remoteId: string;
  /** The name in the converted commits: the source's own, or its username. */
  readonly remoteName: string;
  /** The valid address to begin with; `remoteId` unless that is none. */
  readonly email: string;
  /** The name to begin with; `remoteName` unless that is empty. */
  readonly name: string;
  /** How many commits name it as their author. */
  readonly commits: number;
}

/** What one author is to be called. Author and remote name together say who. */
export interface AuthorMapping {
  readonly remoteId: string;
  readonly remoteName: string;
  readonly name: string;
  readonly email: string;
}

/** A file of the source's history that is over the limit, at one path of one ref (the first, where there are several). */
export interface LargeFile {
  /** `refs/heads/master`: one whose history has it. */
  readonly refName: string;
  readonly path: string;
  /** The blob's, in the converted history: stable over rewrites. */
  readonly oid: string;
  /** In bytes. */
  readonly size: number;
}

/** What happens with large files: kept, moved to Git LFS, or taken out of every commit. */
export type LargeFileChoice = 'keep' | 'lfs' | 'remove';
