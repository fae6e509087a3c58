import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidArgument, unavailable } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux';
import type { Launcher } from '@gantry/lib-linux/launcher';

/** What is fetched of a Git repository. */
export interface RepositorySource {
  readonly url: string;
  /** Branch, tag or commit; empty for the remote's head. */
  readonly reference: string;
}

/** Nothing of the host's configuration is used, nothing of the repository is run, and no local path is read. */
const settings = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'protocol.allow=never',
  '-c',
  'protocol.https.allow=always',
  '-c',
  'protocol.http.allow=always',
  '-c',
  'protocol.git.allow=always',
  '-c',
  'protocol.ssh.allow=always',
  '-c',
  'advice.detachedHead=false',
];

/** Git reads the proxies of the daemon's environment itself. */
const proxyVariables = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(https?|no)_proxy$/i.test(name))) as never;

/**
 * Fetches a repository into an empty directory, without its history, and without its `.git` unless that is to be kept.
 * Resolves to the commit. Rejects `invalid-argument` with git's words.
 */
export async function fetchRepository(
  { url, reference }: RepositorySource,
  directory: string,
  {
    launcher,
    keepsGitDirectory = false,
    ...options
  }: { readonly launcher: Launcher; readonly signal?: AbortSignal; readonly keepsGitDirectory?: boolean },
): Promise<string> {
  const git = async (...args: string[]): Promise<{ readonly isDone: boolean; readonly words: string }> => {
    try {
      const { code, stderr } = await launcher.run('git', [...settings, ...args], {
        cwd: directory,
        env: {
          HOME: directory,
          GIT_TERMINAL_PROMPT: '0',
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_CONFIG_GLOBAL: '/dev/null',
          GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
          ...proxyVariables(),
        },
        ...options,
      });
      return { isDone: code === 0, words: stderr.toString('utf8').trim() };
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) throw error;
      throw unavailable('remote: git is not installed on the host of this engine', { cause: error });
    }
  };
  const must = async (...args: string[]): Promise<void> => {
    const { isDone, words } = await git(...args);
    if (!isDone) throw invalidArgument(`remote: cannot fetch ${url}: ${words}`);
  };
  await must('init', '--quiet');
  await must('remote', 'add', 'origin', url);
  const wanted = reference === '' ? 'HEAD' : reference;
  // Plain web servers give nothing without its history.
  const isFetched =
    (await git('fetch', '--quiet', '--depth', '1', '--', 'origin', wanted)).isDone ||
    (await git('fetch', '--quiet', '--', 'origin', wanted)).isDone;
  if (isFetched) await must('checkout', '--quiet', 'FETCH_HEAD');
  else {
    // Servers give out branches and tags by name, but a commit perhaps only as part of them.
    await must('fetch', '--quiet', '--tags', 'origin', '+refs/heads/*:refs/remotes/origin/*');
    const { isDone } = await git('rev-parse', '--quiet', '--verify', `${wanted}^{commit}`);
    if (!isDone) throw invalidArgument(`remote: ${url} has no branch, tag or commit ${wanted}`);
    await must('checkout', '--quiet', `${wanted}^{commit}`);
  }
  await must('submodule', '--quiet', 'update', '--init', '--recursive', '--depth', '1');
  // It differs from fetch to fetch, and would keep every copy of the whole context out of the cache.
  const commit = await headOf(directory);
  if (!keepsGitDirectory) await rm(join(directory, '.git'), { recursive: true, force: true });
  return commit;
}

/** The commit of a checkout that is on no branch. */
async function headOf(directory: string): Promise<string> {
  return (await readFile(join(directory, '.git', 'HEAD'), 'utf8')).trim();
}
