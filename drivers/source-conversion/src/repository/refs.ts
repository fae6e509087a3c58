import type { Git } from '../git/git.js';

/** Where a converted repository keeps what the source said, below `refs/`, for rewrites to begin with. */
export const sourceRefs = 'refs/source/';

/** Name to object. */
export type Refs = ReadonlyMap<string, string>;

/** All refs below some prefixes, with the prefixes. */
export async function readRefs(
  git: Git,
  step: string,
  repository: string,
  prefixes: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Refs> {
  const listing = ['for-each-ref', '--format=%(objectname) %(refname)', ...prefixes];
  const lines = await git.lines(step, repository, listing, { env });
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))] as const));
}

/**
 * Makes branches and tags these and no others, in one transaction; but what stands in the way of a new name, as `a` of
 * `a/b`, goes before.
 */
export async function replaceRefs(git: Git, step: string, repository: string, wanted: Refs): Promise<void> {
  await clearWay(git, step, repository, wanted);
  const present = await readRefs(git, step, repository, ['refs/heads/', 'refs/tags/']);
  const changes = [
    ...[...present.keys()].filter((name) => !wanted.has(name)).map((name) => `delete ${name}\n`),
    ...[...wanted].filter(([name, id]) => present.get(name) !== id).map(([name, id]) => `update ${name} ${id}\n`),
  ];
  if (changes.length === 0) return;
  const input = `start\n${changes.join('')}prepare\ncommit\n`;
  await git.run(step, repository, ['update-ref', '--no-deref', '--stdin'], { input });
}

/** Removes branches and tags that Git could not keep beside wanted ones. */
export async function clearWay(git: Git, step: string, repository: string, wanted: Refs): Promise<void> {
  const present = await readRefs(git, step, repository, ['refs/heads/', 'refs/tags/']);
  const folders = new Set([...wanted.keys()].flatMap(foldersOf));
  const inTheWay = [...present.keys()].filter((name) => {
    return folders.has(name) || foldersOf(name).some((folder) => wanted.has(folder));
  });
  const input = inTheWay.map((name) => `delete ${name}\n`).join('');
  if (input !== '') await git.run(step, repository, ['update-ref', '--no-deref', '--stdin'], { input });
}

/** Of `refs/heads/a/b/c`: `refs/heads/a/b`, `refs/heads/a`, and so on. */
function foldersOf(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('/'));
}

/** The branches and tags of the source, by the names they have in the result. */
export async function originalRefs(git: Git, step: string, repository: string): Promise<Refs> {
  const kept = await readRefs(git, step, repository, [`${sourceRefs}heads/`, `${sourceRefs}tags/`]);
  return new Map([...kept].map(([name, id]) => [`refs/${name.slice(sourceRefs.length)}`, id] as const));
}
