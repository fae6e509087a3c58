import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import type { ConversionContext } from '../conversion-context.js';

const execute = promisify(execFile);

/** A directory of one test, gone after it. */
export async function scratchFor(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-conversion-'));
  t.teardown(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(join(directory, 'home'));
  return directory;
}

/** What tests convert with: sources of this host are allowed. */
export const contextIn = (directory: string, name = 'work'): ConversionContext => ({
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

/** Runs a program of a fixture; its output without the last line's end. */
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

/** Path to content of everything in a commit. */
export async function filesOf(repository: string, commit: string): Promise<Readonly<Record<string, string>>> {
  const names = await git(repository, 'ls-tree', '-r', '--name-only', '-z', commit);
  const files: Record<string, string> = {};
  for (const name of names.split('\0').filter((found) => found !== '')) {
    files[name] = await git(repository, 'cat-file', 'blob', `${commit}:${name}`);
  }
  return files;
}
