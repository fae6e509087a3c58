import type { RepositoryOptions } from '../conversion-context.js';
import type { Git } from '../git/git.js';
import type { LargeFile } from '../repository-facts.js';
import type { Workshop } from '../tools/workshop.js';
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
    const files = [...blobs].map(async ([oid, { path, size }]) => {
      return { refName: await refWith(git, repository, oid), path, oid, size };
    });
    return (await Promise.all(files)).sort((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1));
  });
}

/** Blobs of the source's commits over a limit, with one of their paths. */
export async function largeBlobs(
  git: Git,
  workshop: Workshop,
  repository: string,
  limitBytes: number,
): Promise<ReadonlyMap<string, { readonly path: string; readonly size: number }>> {
  const found = new Map<string, { path: string; size: number }>();
  const onLine = (line: string): void => {
    const [, oid = '', size, path = ''] = /^(\w+) blob (\d+) (.*)$/.exec(line) ?? [];
    if (Number(size) > limitBytes) found.set(oid, { path, size: Number(size) });
  };
  await workshop.runPiped(step, [
    git.call(repository, ['rev-list', '--objects', '--no-object-names', `--glob=${sourceRefs}*`]),
    git.call(repository, ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize) ', '--buffer'], {
      onLine,
    }),
  ]);
  if (found.size === 0) return found;
  // Names are few now; asking for them all would hold up every history without large files.
  const onNamed = (line: string): void => {
    const oid = line.slice(0, line.indexOf(' '));
    const known = found.get(oid);
    if (known !== undefined) known.path = line.slice(oid.length + 1);
  };
  await git.run(step, repository, ['rev-list', '--objects', `--glob=${sourceRefs}*`], { onLine: onNamed });
  return found;
}

/** A branch, or else a tag, whose history has a blob. */
async function refWith(git: Git, repository: string, oid: string): Promise<string> {
  const log = ['log', '--format=%H', '-m', `--find-object=${oid}`, `--glob=${sourceRefs}*`];
  const commit = (await git.lines(step, repository, log)).at(-1) ?? '';
  const containing = ['for-each-ref', '--format=%(refname)', '--contains', commit];
  const places = [`${sourceRefs}heads/`, `${sourceRefs}tags/`];
  const refs = commit === '' ? [] : await git.lines(step, repository, [...containing, ...places]);
  const names = refs.map((ref) => `refs/${ref.slice(sourceRefs.length)}`);
  return names.find((name) => /^refs\/heads\/(master|main)$/.test(name)) ?? names[0] ?? '';
}
