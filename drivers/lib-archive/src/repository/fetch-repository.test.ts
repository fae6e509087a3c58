import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SpawnLauncher } from '@gantry/lib-linux/launcher';
import test, { type ExecutionContext } from 'ava';
import { fetchRepository } from './fetch-repository.js';

const launcher = new SpawnLauncher();

const run = promisify(execFile);

interface Repository {
  readonly url: string;
  readonly directory: string;
  /** Of the first commit, which a tag and no branch ends with. */
  readonly commit: string;
  fetch(reference: string): Promise<readonly string[]>;
}

/** One on a plain web server: a tag on the first of two commits, and a submodule with a path of the host. */
async function serve(t: ExecutionContext): Promise<Repository> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-repository-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const work = join(directory, 'work');
  await mkdir(work);
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main'];
  const git = async (...args: string[]) => (await run('git', [...identity, ...args], { cwd: work })).stdout.trim();
  const commit = async (file: string): Promise<string> => {
    await writeFile(join(work, file), file);
    await git('add', '.');
    await git('commit', '--quiet', '-m', file);
    return git('rev-parse', 'HEAD');
  };
  await git('init', '--quiet');
  const first = await commit('one');
  await git('tag', 'v1');
  await git('checkout', '--quiet', '-b', 'feature/x');
  await commit('two');
  await git('checkout', '--quiet', '-b', 'hostile');
  await symlink('/etc', join(work, 'etc'));
  await writeFile(join(work, '.gitmodules'), `[submodule "s"]\n\tpath = s\n\turl = ${work}\n\tupdate = !touch pwned\n`);
  await commit('three');
  await git('update-index', '--add', '--cacheinfo', `160000,${first},s`);
  await git('commit', '--quiet', '-m', 'submodule');
  await git('checkout', '--quiet', '--force', 'main');
  await git('clone', '--quiet', '--bare', work, '../served.git');
  await run('git', ['update-server-info'], { cwd: join(directory, 'served.git') });
  const server = createServer((request, response) => {
    const file = createReadStream(join(directory, new URL(request.url ?? '', 'http://x').pathname));
    file.on('error', () => response.writeHead(404).end());
    file.pipe(response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.teardown(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/served.git`;
  const fetch = async (reference: string): Promise<readonly string[]> => {
    const target = await mkdtemp(join(directory, 'fetched-'));
    await fetchRepository({ url, reference }, target, { launcher });
    return (await readdir(target)).sort();
  };
  return { url, directory, commit: first, fetch };
}

test('branches, tags and commits are fetched, without the history', async (t) => {
  const { fetch, commit } = await serve(t);
  t.deepEqual(await fetch(''), ['one']);
  t.deepEqual(await fetch('v1'), ['one']);
  t.deepEqual(await fetch('feature/x'), ['one', 'two']);
  t.deepEqual(await fetch(commit), ['one']);
  await t.throwsAsync(fetch('nosuch'), { message: /has no branch, tag or commit nosuch/ });
});

test('nothing of a repository or of its name is run, and nothing of the host is read', async (t) => {
  const { fetch, url, directory } = await serve(t);
  const mark = join(directory, 'pwned');
  for (const reference of [`--upload-pack=touch ${mark}`, '-h']) await t.throwsAsync(fetch(reference));
  for (const bad of [directory, `file://${directory}/served.git`, `ext::sh -c touch% ${mark}`]) {
    const target = await mkdtemp(join(directory, 'refused-'));
    await t.throwsAsync(
      fetchRepository({ url: bad, reference: '' }, target, { launcher }),
      { message: /^remote: / },
      bad,
    );
  }
  const hostile = await mkdtemp(join(directory, 'hostile-'));
  await t.throwsAsync(fetchRepository({ url, reference: 'hostile' }, hostile, { launcher }), {
    message: /^remote: cannot fetch/,
  });
  await t.throwsAsync(stat(mark));
  await t.throwsAsync(readFile(join(hostile, 's', 'pwned')));
});
