import type { Git } from '../git/git.js';
import type { ToolSandbox } from '../sandbox/tool-sandbox.js';
import type { LargeFile } from './repository-facts.js';
import { sourceRefs } from './repository-refs.js';
import { unquotePath } from './unquote-path.js';
import { type HostRepositoryOptions, withGit } from './with-git.js';

const step = 'looking for large files';

/** Files of any commit of the source larger than `limitBytes`, the largest first. */
export function largeFilesOf(
  repository: string,
  limitBytes: number,
  options: HostRepositoryOptions,
): Promise<readonly LargeFile[]> {
  return withGit(options, async (git, sandbox) => {
    const blobs = await largeBlobs(git, sandbox, repository, limitBytes);
    const found = await firstOccurrences(git, repository, new Set(blobs.keys()));
    const refs = new Map<string, string>();
    const files: LargeFile[] = [];
    for (const [oid, { commit, path }] of found) {
      const refName = refs.get(commit) ?? (await refContaining(git, repository, commit));
      refs.set(commit, refName);
      files.push({ refName, path, oid, size: blobs.get(oid) ?? 0 });
    }
    return files.sort((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1));
  });
}

/** Blobs of the source's commits over a limit, with their sizes. */
export async function largeBlobs(
  git: Git,
  sandbox: ToolSandbox,
  repository: string,
  limitBytes: number,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const onLine = (line: string): void => {
    const [, oid = '', size] = /^(\w+) blob (\d+)$/.exec(line) ?? [];
    if (Number(size) > limitBytes) found.set(oid, Number(size));
  };
  const format = '%(objectname) %(objecttype) %(objectsize)';
  await sandbox.runPiped(step, [
    git.call(repository, ['rev-list', '--objects', '--no-object-names', `--glob=${sourceRefs}*`]),
    git.call(repository, ['cat-file', `--batch-check=${format}`, '--buffer'], { onLine }),
  ]);
  return found;
}

/** The first commit with each of the blobs, and its path there. */
async function firstOccurrences(
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

/** A branch, or else a tag, whose history contains a commit. */
async function refContaining(git: Git, repository: string, commit: string): Promise<string> {
  const containing = ['for-each-ref', '--format=%(refname)', '--contains', commit];
  const refs = await git.lines(step, repository, [...containing, `${sourceRefs}heads/`, `${sourceRefs}tags/`]);
  const names = refs.map((ref) => `refs/${ref.slice(sourceRefs.length)}`);
  return names.find((name) => /^refs\/heads\/(master|main)$/.test(name)) ?? names[0] ?? '';
}
