import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Scope } from '@gantry/test-nodes';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const build = "import('./scripts/setup.mjs').then(({ setup }) => setup('test'))";

interface BuiltRevision {
  /** `gantryd.js`. */
  readonly program: string;
  /** The hash of the commit. */
  readonly commit: string;
}

/** Builds another revision of this repository in a work tree of its own, which is removed when the scope ends. */
export async function buildRevision(t: Scope, revision: string): Promise<BuiltRevision> {
  const git = (...args: readonly string[]) => run('git', ['-C', root, ...args]);
  const { stdout } = await git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`);
  const commit = stdout.trim();
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-revision-'));
  t.teardown(async () => {
    await rm(directory, { recursive: true, force: true });
    await git('worktree', 'prune');
  });
  await git('worktree', 'add', '--detach', directory, commit);
  await run(process.execPath, ['--eval', build], { cwd: directory, maxBuffer: 2 ** 26 });
  return { program: path.join(directory, 'gantry/bin/gantryd.js'), commit };
}
