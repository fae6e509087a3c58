import type { RepositoryOptions } from '../conversion-context.js';
import type { Git } from '../git/git.js';
import type { LargeFile } from '../repository-facts.js';
import type { Workshop } from '../tools/workshop.js';
import { unquotePath } from './quoted-path.js';
import { sourceRefs } from './refs.js';
import { withGit } from './with-git.js';

const step = 'looking for large files';

/** Files of any commit of the source larger than `limitBytes`, the largest first. */
export function largeFilesOf(
  repository: string,
  limitBytes: number,
  options: RepositoryOptions,
): Promise<readonly LargeFile[]> {
  return withGit(options, async (git, workshop) => {
    const blobs = await largeBlobs(git, workshop, repository, limitBytes);
    const found = await places(git, repository, new Set(blobs.keys()));
    const refs = new Map<string, string>();
    const files: LargeFile[] = [];
    for (const [oid, { commit, path }] of found) {
      const refName = refs.get(commit) ?? (await refWith(git, repository, commit));
      refs.set(commit, refName);
      files.push({ refName, path, oid, size: blobs.get(oid) ?? 0 });
    }
    return files.sort((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1));
  });
}

/** Blobs of the source's commits over a limit, with their sizes. */
export async function largeBlobs(
  git: Git,
  workshop: Workshop,
  repository: string,
  limitBytes: number,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const onLine = (line: string): void => {
    const [, oid = '', size] = /^(\w+) blob (\d+)$/.exec(line) ?? [];
    if (Number(size) > limitBytes) found.set(oid, Number(size));
  };
  const format = '%(objectname) %(objecttype) %(objectsize)';
  await workshop.runPiped(step, [
    git.call(repository, ['rev-list', '--objects', '--no-object-names', `--glob=${sourceRefs}*`]),
    git.call(repository, ['cat-file', `--batch-check=${format}`, '--buffer'], { onLine }),
  ]);
  return found;
}

/** The first commit that has each of some blobs, and where. */
async function places(
  git: Git,
  repository: string,
  blobs: ReadonlySet<string>,
): Promise<ReadonlyMap<string, { readonly commit: string; readonly path: string }>> {
  const found = new Map<string, { commit: string; path: string }>();
  if (blobs.size === 0) return found;
  let commit = '';
  const onLine = (line: string): void => {
    if (!line.startsWith(':')) {
      commit = line;
      return;
    }
    const [, oid = '', path = ''] = /^:\d+ \d+ \w+ (\w+) \w+\t(.*)$/.exec(line) ?? [];
    if (blobs.has(oid) && !found.has(oid)) found.set(oid, { commit, path: unquotePath(path) });
  };
  const log = [
    'log',
    '--reverse',
    '--topo-order',
    '--root',
    '-m',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '--format=%H',
  ];
  await git.run(step, repository, [...log, `--glob=${sourceRefs}*`], { onLine });
  return found;
}

/** A branch, or else a tag, whose history has a commit. */
async function refWith(git: Git, repository: string, commit: string): Promise<string> {
  const containing = ['for-each-ref', '--format=%(refname)', '--contains', commit];
  const refs = await git.lines(step, repository, [...containing, `${sourceRefs}heads/`, `${sourceRefs}tags/`]);
  const names = refs.map((ref) => `refs/${ref.slice(sourceRefs.length)}`);
  return names.find((name) => /^refs\/heads\/(master|main)$/.test(name)) ?? names[0] ?? '';
}
