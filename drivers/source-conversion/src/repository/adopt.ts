import type { Git } from '../git/git.js';
import type { Workshop } from '../tools/workshop.js';
import type { ExportEdit } from './export-stream.js';
import { originalRefs, replaceRefs, sourceRefs } from './refs.js';
import { streamHistory } from './stream-history.js';

/** Makes the bare repository that is converted to, unless it is there. */
export async function makeRepository(git: Git, step: string, repository: string): Promise<void> {
  await git.run(step, undefined, ['init', '--quiet', '--bare', '--', repository]);
}

/** Takes over everything of a repository a tool has made on this host. */
export async function adopt(git: Git, step: string, repository: string, made: string): Promise<void> {
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
      `file://${made}`,
      `+refs/heads/*:${sourceRefs}heads/*`,
      `+refs/tags/*:${sourceRefs}tags/*`,
    ],
    // This is the one place where a path of this host is read; the settings for sources may forbid it.
    { env: { GIT_ALLOW_PROTOCOL: 'file' } },
  );
}

/** Replaces what was taken over by the same with an edit. */
export async function editAdopted(
  git: Git,
  workshop: Workshop,
  step: string,
  repository: string,
  edit: ExportEdit,
): Promise<void> {
  const before = await originalRefs(git, step, repository);
  const after = await streamHistory(git, workshop, repository, edit, step);
  const changes = [...after].filter(([name, id]) => before.get(name) !== id);
  const lines = changes.map(([name, id]) => `update ${sourceRefs}${name.slice('refs/'.length)} ${id}\n`);
  const input = `start\n${lines.join('')}prepare\ncommit\n`;
  await git.run(step, repository, ['update-ref', '--no-deref', '--stdin'], { input });
}

/** Shows what was taken over: branches and tags as in the source, and HEAD at `branch`, or the first there is. */
export async function publish(git: Git, step: string, repository: string, branch: string | undefined): Promise<void> {
  const refs = await originalRefs(git, step, repository);
  await replaceRefs(git, step, repository, refs);
  const branches = [...refs.keys()].filter((name) => name.startsWith('refs/heads/'));
  const wanted = [branch, 'master', 'main'].map((name) => `refs/heads/${name}`).find((name) => refs.has(name));
  const head = wanted ?? branches[0] ?? 'refs/heads/master';
  await git.run(step, repository, ['symbolic-ref', 'HEAD', head]);
}
