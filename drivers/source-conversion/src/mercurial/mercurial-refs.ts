import { RefNames } from '../repository/ref-names.js';
import type { Refs } from '../repository/refs.js';

/** The last changeset of a line of a named branch. */
export interface BranchHead {
  readonly node: string;
  readonly branch: string;
  readonly isClosed: boolean;
}

export interface NamedNode {
  readonly name: string;
  readonly node: string;
}

/**
 * Git's branches and tags for Mercurial's branches, bookmarks and tags, so that every changeset can be reached:
 * `default` is `master`, the youngest open head of a branch has its name and further ones their node with it, and what
 * was closed is a tag below `closed/`.
 *
 * @param heads the youngest first.
 */
export function mercurialRefs(
  heads: readonly BranchHead[],
  bookmarks: readonly NamedNode[],
  tags: readonly NamedNode[],
  commitOf: (node: string) => string | undefined,
): Refs {
  const names = new RefNames();
  const give = (prefix: 'refs/heads/' | 'refs/tags/', name: string, node: string): void => {
    const commit = commitOf(node);
    if (commit !== undefined) names.give(prefix, name, commit);
  };
  const named = new Set<string>();
  for (const { node, branch, isClosed } of heads.toSorted((a, b) => Number(a.isClosed) - Number(b.isClosed))) {
    const name = branch === 'default' ? 'master' : branch;
    const whole = named.has(branch) ? `${name}-${node.slice(0, 12)}` : name;
    named.add(branch);
    if (isClosed) give('refs/tags/', `closed/${whole}`, node);
    else give('refs/heads/', whole, node);
  }
  for (const { name, node } of bookmarks) give('refs/heads/', name, node);
  for (const { name, node } of tags) give('refs/tags/', name, node);
  return names.refs;
}
