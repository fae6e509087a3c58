import type { Git } from '../git/git.js';

/** Where a converted repository keeps the source's branches and tags, for rewrites to start from. */
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
 * Replaces all branches and tags in one transaction; names that conflict with new ones, as `a` with `a/b`, are deleted
 * before.
 */
export async function replaceRefs(git: Git, step: string, repository: string, wanted: Refs): Promise<void> {
  await deleteConflictingRefs(git, step, repository, wanted);
  const present = await readRefs(git, step, repository, ['refs/heads/', 'refs/tags/']);
  const changes = [
    ...[...present.keys()].filter((name) => !wanted.has(name)).map((name) => `delete ${name}\n`),
    ...[...wanted].filter(([name, id]) => present.get(name) !== id).map(([name, id]) => `update ${name} ${id}\n`),
  ];
  if (changes.length === 0) return;
  const input = `start\n${changes.join('')}prepare\ncommit\n`;
  await git.run(step, repository, ['update-ref', '--no-deref', '--stdin'], { input });
}

/** Deletes branches and tags that Git cannot store beside the wanted ones. */
export async function deleteConflictingRefs(git: Git, step: string, repository: string, wanted: Refs): Promise<void> {
  const present = await readRefs(git, step, repository, ['refs/heads/', 'refs/tags/']);
  const parents = new Set([...wanted.keys()].flatMap(parentsOf));
  const conflicting = [...present.keys()].filter((name) => {
    return parents.has(name) || parentsOf(name).some((parent) => wanted.has(parent));
  });
  const input = conflicting.map((name) => `delete ${name}\n`).join('');
  if (input !== '') await git.run(step, repository, ['update-ref', '--no-deref', '--stdin'], { input });
}

/** Of `refs/heads/a/b/c`: `refs/heads/a/b`, `refs/heads/a`, and so on. */
function parentsOf(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('/'));
}

/** The source's branches and tags, by their names in the result. */
export async function originalRefs(git: Git, step: string, repository: string): Promise<Refs> {
  const kept = await readRefs(git, step, repository, [`${sourceRefs}heads/`, `${sourceRefs}tags/`]);
  return new Map([...kept].map(([name, id]) => [`refs/${name.slice(sourceRefs.length)}`, id] as const));
}
