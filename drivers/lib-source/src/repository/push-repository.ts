import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { pathExists } from '@gantry/core/driver';
import { createRepository } from './adopt-repository.js';
import { deleteConflictingRefs, readRefs } from './repository-refs.js';
import { type HostRepositoryOptions, withGit } from './with-git.js';

interface HostPushOptions extends HostRepositoryOptions {
  readonly onProgress?: (percent: number) => void;
}

const step = 'pushing to the repository';

/** The receiving side of the push, with hooks and refusals of its repository's configuration disabled. */
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
 * Pushes branches, tags, HEAD and LFS objects of a converted repository to another bare repository on this host, which
 * is created when missing: objects first, then all refs in one transaction. Branches and tags that the converted
 * repository does not have are deleted. No hook runs. Rejects SourceError, or the signal's reason.
 */
export function pushRepository(repository: string, target: string, options: HostPushOptions): Promise<void> {
  return withGit(options, async (git) => {
    let percent = 0;
    const report = (now: number): void => {
      if (now <= percent) return;
      percent = now;
      options.onProgress?.(now);
    };
    options.onProgress?.(0);
    await createRepository(git, step, target);
    await copyLargeFiles(repository, target);
    await deleteConflictingRefs(
      git,
      step,
      target,
      await readRefs(git, step, repository, ['refs/heads/', 'refs/tags/']),
    );
    const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
    const flags = ['--progress', '--atomic', '--prune', '--force', '--no-verify', `--receive-pack=${receiver}`];
    const onLine = (line: string): void => {
      const [, written] = /^Writing objects: +(\d+)%/.exec(line) ?? [];
      if (written !== undefined) report(Number(written));
    };
    await git.run(step, repository, ['push', ...flags, '--', target, ...refs], { onLine });
    const head = await git.text(step, repository, ['symbolic-ref', 'HEAD']);
    await git.run(step, target, ['symbolic-ref', 'HEAD', head]);
    report(100);
  });
}

/** Called before the push of the refs whose history points to them. */
async function copyLargeFiles(repository: string, target: string): Promise<void> {
  const from = join(repository, 'lfs', 'objects');
  if (await pathExists(from)) await cp(from, join(target, 'lfs', 'objects'), { recursive: true, force: false });
}
