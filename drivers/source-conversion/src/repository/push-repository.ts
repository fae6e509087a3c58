import { cp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryOptions } from '../conversion-context.js';
import { makeRepository } from './adopt.js';
import { clearWay, readRefs } from './refs.js';
import { withGit } from './with-git.js';

export interface PushOptions extends RepositoryOptions {
  /** 0 to 100: what the push reports while it writes objects. Never falling within one call. */
  readonly onProgress?: (percent: number) => void;
}

const step = 'pushing to the repository';

/** The other end of the push: whatever its repository is set to refuse or to run. */
const receiver = [
  'git',
  '-c core.hooksPath=/dev/null',
  '-c receive.denyNonFastForwards=false',
  '-c receive.denyDeletes=false',
  '-c receive.denyDeleteCurrent=ignore',
  '-c receive.denyCurrentBranch=ignore',
  '-c receive.autogc=false',
  'receive-pack',
].join(' ');

/**
 * Makes another bare repository on this host (made when it is missing) hold the branches, tags, HEAD and LFS objects
 * of a converted one: what is missing is written, then all refs change in one transaction, and branches and tags the
 * converted one does not have are removed. No hook of either runs. Rejects SourceError, or the signal's reason.
 */
export function pushRepository(repository: string, target: string, options: PushOptions): Promise<void> {
  return withGit(options, async (git) => {
    let percent = 0;
    const tell = (now: number): void => {
      if (now <= percent) return;
      percent = now;
      options.onProgress?.(now);
    };
    options.onProgress?.(0);
    await makeRepository(git, step, target);
    await copyLargeFiles(repository, target);
    await clearWay(git, step, target, await readRefs(git, step, repository, ['refs/heads/', 'refs/tags/']));
    const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
    const flags = ['--progress', '--atomic', '--prune', '--force', '--no-verify', `--receive-pack=${receiver}`];
    const onLine = (line: string): void => {
      const [, written] = /^Writing objects: +(\d+)%/.exec(line) ?? [];
      if (written !== undefined) tell(Number(written));
    };
    await git.run(step, repository, ['push', ...flags, '--', target, ...refs], { onLine });
    const head = await git.text(step, repository, ['symbolic-ref', 'HEAD']);
    await git.run(step, target, ['symbolic-ref', 'HEAD', head]);
    tell(100);
  });
}

/** Before the refs that point to them. */
async function copyLargeFiles(repository: string, target: string): Promise<void> {
  const from = join(repository, 'lfs', 'objects');
  const isThere = await stat(from).then(
    () => true,
    () => false,
  );
  if (isThere) await cp(from, join(target, 'lfs', 'objects'), { recursive: true, force: false });
}
