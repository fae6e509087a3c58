import { RefNames, type Refs } from '@gantry/lib-source';

/** A head of a named branch. */
interface BranchHead {
  readonly node: string;
  readonly branch: string;
  readonly isClosed: boolean;
}

interface NamedNode {
  readonly name: string;
  readonly node: string;
}

/**
 * Git's branches and tags for Mercurial's branches, bookmarks and tags, so that every changeset is reachable:
 * `default` becomes `master`, the newest open head of a branch gets its name, further heads the name with their node,
 * and closed heads become tags below `closed/`.
 *
 * @param heads the newest first.
 */
export function mercurialRefs(
  heads: readonly BranchHead[],
  bookmarks: readonly NamedNode[],
  tags: readonly NamedNode[],
  commitOf: (node: string) => string | undefined,
): Refs {
  const names = new RefNames();
  const assign = (prefix: 'refs/heads/' | 'refs/tags/', name: string, node: string): void => {
    const commit = commitOf(node);
    if (commit !== undefined) names.assign(prefix, name, commit);
  };
  const named = new Set<string>();
  for (const { node, branch, isClosed } of heads.toSorted((a, b) => Number(a.isClosed) - Number(b.isClosed))) {
    const name = branch === 'default' ? 'master' : branch;
    const fullName = named.has(branch) ? `${name}-${node.slice(0, 12)}` : name;
    named.add(branch);
    if (isClosed) assign('refs/tags/', `closed/${fullName}`, node);
    else assign('refs/heads/', fullName, node);
  }
  for (const { name, node } of bookmarks) assign('refs/heads/', name, node);
  for (const { name, node } of tags) assign('refs/tags/', name, node);
  return names.refs;
}
