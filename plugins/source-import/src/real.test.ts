import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { importHarness, importPath } from './testing/harness.js';

const run = promisify(execFile);
const env = {
  ...process.env,
  ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C.UTF-8' },
  ...{ GIT_AUTHOR_NAME: 'o', GIT_AUTHOR_EMAIL: 'o@x', GIT_COMMITTER_NAME: 'o', GIT_COMMITTER_EMAIL: 'o@x' },
};
const sh = async (file: string, ...args: readonly string[]) => (await run(file, [...args], { env })).stdout.trim();
const git = (...args: readonly string[]) => sh('git', ...args);

async function directoryOf(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-import-real-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Clones `octavia/tools`. Resolves to its log. */
async function cloned(url: string, token: string, into: string): Promise<string> {
  await rm(into, { recursive: true, force: true });
  const address = new URL('/octavia/tools.git', url);
  Object.assign(address, { username: 'octavia', password: token });
  await git('clone', '-q', address.href, into);
  return git('-C', into, 'log', '--format=%an <%ae> %s', '--all');
}

test('a Git repository is imported, cloned over HTTP, and its authors are renamed afterwards', async (t) => {
  const directory = await directoryOf(t);
  const source = join(directory, 'source');
  await git('init', '-q', '-b', 'trunk', source);
  for (const [number, author] of ['Ann <ann@x.example>', 'Bob <bob@x.example>'].entries()) {
    await writeFile(join(source, 'file'), String(number));
    await git('-C', source, 'add', '.');
    await git('-C', source, 'commit', '-q', `--author=${author}`, '-m', `change ${number}`);
  }
  await git('-C', source, 'tag', 'v1');
  const served = await importHarness(t, {
    isReal: true,
    config: { allowLocalFiles: true, allowDestinations: ['127.0.0.1'] },
  });
  const token = await served.token('octavia');
  const { json, until } = served;
  t.is((await json('PUT', importPath, { token, body: { vcs_url: `file://${source}` } }))[0], 201);
  t.like(await until('complete', token), { vcs: 'git', authors_count: 3, has_large_files: false });
  const clone = join(directory, 'clone');
  t.is(await cloned(served.url, token, clone), 'Bob <bob@x.example> change 1\nAnn <ann@x.example> change 0');
  t.is(
    await git('-C', clone, 'rev-parse', 'HEAD'),
    await git('-C', source, 'rev-parse', 'HEAD'),
    'not one bit differs',
  );
  t.is(await git('-C', clone, 'symbolic-ref', '--short', 'HEAD'), 'trunk');
  t.is(await git('-C', clone, 'tag'), 'v1');
  const [, authors] = await json('GET', `${importPath}/authors`, { token });
  const bob = (authors as unknown as { id: number; name: string }[]).find(({ name }) => name === 'Bob');
  await json('PATCH', `${importPath}/authors/${bob?.id}`, { token, body: { name: 'Robert', email: 'r@x.example' } });
  await until('complete', token);
  t.is(await cloned(served.url, token, clone), 'Robert <r@x.example> change 1\nAnn <ann@x.example> change 0');
  await t.throwsAsync(git('-C', clone, 'push', 'origin', 'HEAD:new'), { message: /403/ });
  const more = '/repos/octavia/more/import';
  await served.command('repository', 'create', 'octavia/more');
  await json('PUT', more, { token, body: { vcs_url: `${served.url}/octavia/tools.git`, vcs: 'git' } });
  await until('auth_failed', token, more);
  await json('PATCH', more, { token, body: { vcs_username: 'octavia', vcs_password: token } });
  t.like(await until('complete', token, more), { vcs: 'git', authors_count: 3 }, 'a host may import from itself');
  await t.throwsAsync(cloned(served.url, 'wrong', clone), { message: /Authentication failed|could not read/ });
});

test('a Subversion repository is imported with branches, tags and authors, and its large files are moved', async (t) => {
  const directory = await directoryOf(t);
  const [repository, work] = [join(directory, 'svn'), join(directory, 'work')];
  await sh('svnadmin', 'create', repository);
  const url = `file://${repository}`;
  await sh('svn', 'mkdir', '-q', '-m', 'layout', ...['trunk', 'branches', 'tags'].map((each) => `${url}/${each}`));
  await sh('svn', 'checkout', '-q', `${url}/trunk`, work);
  await writeFile(join(work, 'readme'), 'hello');
  const large = Buffer.alloc(3 * 2 ** 20, 'large file ');
  await writeFile(join(work, 'video'), large);
  await sh('svn', 'add', '-q', join(work, 'readme'), join(work, 'video'));
  await sh('svn', 'commit', '-q', '--username', 'ann', '-m', 'a readme', work);
  await sh('svn', 'copy', '-q', '--username', 'bob', '-m', 'a tag', `${url}/trunk`, `${url}/tags/v1`);
  const served = await importHarness(t, { isReal: true, config: { allowLocalFiles: true, largeFileBytes: 2 ** 20 } });
  const token = await served.token('octavia');
  const { json, until } = served;
  await json('PUT', importPath, { token, body: { vcs_url: url, vcs: 'subversion' } });
  t.like(await until('complete', token), { vcs: 'subversion', has_large_files: true, large_files_count: 1 });
  const [, files] = await json('GET', `${importPath}/large_files`, { token });
  t.like(files, [{ path: 'video', size: large.length }] as never);
  const clone = join(directory, 'clone');
  t.regex(await cloned(served.url, token, clone), /^ann <ann@.*> a readme$/m);
  t.is(await git('-C', clone, 'tag'), 'v1');
  t.deepEqual(await readFile(join(clone, 'video')), large, 'undecided, they stay');
  await json('PATCH', `${importPath}/lfs`, { token, body: { use_lfs: 'opt_in' } });
  await until('complete', token);
  await cloned(served.url, token, clone);
  t.regex(await git('-C', clone, 'show', 'HEAD:video'), /^version https:\/\/git-lfs/);
  await git('-C', clone, 'lfs', 'install', '--local');
  await git('-C', clone, 'lfs', 'pull');
  t.deepEqual(await readFile(join(clone, 'video')), large, 'git-lfs fetches it');
  await json('PATCH', `${importPath}/lfs`, { token, body: { use_lfs: 'opt_out' } });
  await until('complete', token);
  await cloned(served.url, token, clone);
  t.is(await git('-C', clone, 'ls-tree', '--name-only', 'HEAD'), 'readme');
});
