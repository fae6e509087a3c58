import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const env = {
  PATH: process.env.PATH ?? '',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

async function git(repository: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await execute('git', [...args], { env: { ...env, GIT_DIR: repository } });
  return stdout.trim();
}

/** The refs below a prefix, with the prefix removed, and their objects. */
export async function refsBelow(repository: string, prefix: string): Promise<readonly string[]> {
  const listed = await git(repository, 'for-each-ref', '--format=%(refname) %(objectname)', prefix);
  return listed === '' ? [] : listed.split('\n').map((line) => line.slice(prefix.length));
}

/** How many commits HEAD has. */
export const commitCount = async (repository: string): Promise<number> =>
  Number(await git(repository, 'rev-list', '--count', 'HEAD'));

/** Rejects when an object is missing or malformed. */
export async function checkObjects(repository: string): Promise<void> {
  await git(repository, 'fsck', '--strict', '--no-dangling');
}
