import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SourceContext } from '@gantry/core/contracts';
import type { ExecutionContext } from 'ava';

const execute = promisify(execFile);

/** A temporary directory, removed after the test. */
export async function scratchFor(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-source-'));
  t.teardown(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(join(directory, 'home'));
  return directory;
}

/** Allows sources of this host and every address. */
export const contextIn = (directory: string, name = 'work'): SourceContext => ({
  scratch: join(directory, name),
  allowLocalFiles: true,
  allowDestination: () => true,
});

const environment = {
  PATH: process.env.PATH ?? '',
  LC_ALL: 'C.UTF-8',
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  HGRCPATH: '',
};

/** Runs a program for a fixture. Resolves to its output without the final newline. */
export async function run(
  cwd: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd, env: { ...environment, ...env }, maxBuffer: 64 * 2 ** 20 };
  return (await execute(program, [...args], options)).stdout.replace(/\n$/, '');
}

export const git = (repository: string, ...args: string[]): Promise<string> => run(repository, 'git', args);

/** Lines of a log: author, address, date, subject and the rest of the message of every commit, the oldest first. */
export async function commitsOf(repository: string, ...refs: string[]): Promise<readonly string[]> {
  const format = '%an <%ae> %at %s%n%b%x00';
  const log = await git(repository, 'log', '--topo-order', '--reverse', `--format=${format}`, ...refs, '--');
  return log
    .split('\0')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Paths and contents of all files of a commit. */
export async function filesOf(repository: string, commit: string): Promise<Readonly<Record<string, string>>> {
  const names = await git(repository, 'ls-tree', '-r', '--name-only', '-z', commit);
  const files: Record<string, string> = {};
  for (const name of names.split('\0').filter((found) => found !== '')) {
    files[name] = await git(repository, 'cat-file', 'blob', `${commit}:${name}`);
  }
  return files;
}
