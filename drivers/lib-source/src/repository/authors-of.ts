import type { SourceAuthor } from './repository-facts.js';
import { sourceRefs } from './repository-refs.js';
import { isAddress, plainName, validAuthor } from './valid-author.js';
import { type HostRepositoryOptions, withGit } from './with-git.js';

const step = 'listing the authors';
const roles = ['author', 'committer'] as const;

/** Authors and committers of the source, as converted and before any mapping, in the order of their first commits. */
export function authorsOf(repository: string, options: HostRepositoryOptions): Promise<readonly SourceAuthor[]> {
  return withGit(options, async (git) => {
    const counts = new Map<string, number>();
    const onLine = (line: string): void => {
      for (const [index, person] of line.split('\t').entries()) {
        counts.set(person, (counts.get(person) ?? 0) + (roles[index] === 'author' ? 1 : 0));
      }
    };
    const commits = ['rev-list', '--reverse', '--topo-order', '--no-commit-header', `--glob=${sourceRefs}*`];
    await git.run(step, repository, [...commits, '--format=%an <%ae>%x09%cn <%ce>'], { onLine });
    const taggers = ['for-each-ref', '--format=%(taggername) %(taggeremail)', `${sourceRefs}tags/`];
    for (const tagger of await git.lines(step, repository, taggers)) {
      if (tagger.trim() !== '' && !counts.has(tagger)) counts.set(tagger, 0);
    }
    return [...counts].map(([person, commits]) => toAuthor(person, commits));
  });
}

function toAuthor(person: string, commits: number): SourceAuthor {
  const [, remoteName = '', remoteId = ''] = /^(.*?) ?<(.*)>$/.exec(person) ?? [];
  const valid = validAuthor(person, 'localhost');
  return {
    remoteId,
    remoteName,
    email: isAddress(remoteId) ? remoteId : valid.email,
    name: plainName(remoteName) || valid.name,
    commits,
  };
}
