import type { Git } from '../git/git.js';
import type { ToolSandbox } from '../sandbox/tool-sandbox.js';
import type { ExportEdit } from './export-stream.js';
import { originalRefs, replaceRefs, sourceRefs } from './repository-refs.js';
import { streamHistory } from './stream-history.js';

/** Creates the bare repository that is converted to, unless it exists. */
export async function createRepository(git: Git, step: string, repository: string): Promise<void> {
  await git.run(step, undefined, ['init', '--quiet', '--bare', '--', repository]);
}

/** Fetches everything of a repository that a program created on this host. */
export async function adoptRepository(git: Git, step: string, repository: string, created: string): Promise<void> {
  await git.run(
    step,
    repository,
    [
      'fetch',
      '--quiet',
      '--prune',
      '--no-tags',
      '--no-write-fetch-head',
      '--',
      `file://${created}`,
      `+refs/heads/*:${sourceRefs}heads/*`,
      `+refs/tags/*:${sourceRefs}tags/*`,
    ],
    // The settings for sources may forbid paths of this host; this one is the daemon's own.
    { env: { GIT_ALLOW_PROTOCOL: 'file' } },
  );
}

/** Rewrites the adopted history with an edit. */
export async function editAdopted(
  git: Git,
  sandbox: ToolSandbox,
  step: string,
  repository: string,
  edit: ExportEdit,
): Promise<void> {
  const before = await originalRefs(git, step, repository);
  const after = await streamHistory(git, sandbox, repository, edit, step);
  const changes = [...after].filter(([name, id]) => before.get(name) !== id);
  const lines = changes.map(([name, id]) => `update ${sourceRefs}${name.slice('refs/'.length)} ${id}\n`);
  const input = `start\n${lines.join('')}prepare\ncommit\n`;
  await git.run(step, repository, ['update-ref', '--no-deref', '--stdin'], { input });
}

/** Points branches and tags at the adopted history, and HEAD at `branch` or the first branch. */
export async function publishAdopted(
  git: Git,
  step: string,
  repository: string,
  branch: string | undefined,
): Promise<void> {
  const refs = await originalRefs(git, step, repository);
  await replaceRefs(git, step, repository, refs);
  const branches = [...refs.keys()].filter((name) => name.startsWith('refs/heads/'));
  const wanted = [branch, 'master', 'main'].map((name) => `refs/heads/${name}`).find((name) => refs.has(name));
  const head = wanted ?? branches[0] ?? 'refs/heads/master';
  await git.run(step, repository, ['symbolic-ref', 'HEAD', head]);
}
