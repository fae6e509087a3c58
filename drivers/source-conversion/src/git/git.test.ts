import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { convertSource } from '../convert-source.js';
import { detectSource } from '../detect-source.js';
import { authorsOf } from '../repository/authors-of.js';
import { RecordingLauncher } from '../testing/recording-launcher.js';
import { contextIn, git, run, scratchFor } from '../testing/scratch.js';
import { gitBackend, guarded, serveHttp } from '../testing/servers.js';

/** Two commits of different people, a branch, two tags, and everything that would run if it were let. */
async function source(t: ExecutionContext): Promise<{ directory: string; repository: string }> {
  const directory = await scratchFor(t);
  const work = join(directory, 'work-tree');
  await mkdir(work);
  const identity = {
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@example.org',
    GIT_COMMITTER_NAME: 'Carl',
    GIT_COMMITTER_EMAIL: 'carl@example.org',
  };
  const call = (...args: string[]): Promise<string> => run(work, 'git', args, identity);
  await call('init', '-q', '-b', 'trunk');
  await writeFile(join(work, 'a'), 'a\n');
  await writeFile(join(work, '.gitattributes'), '* filter=evil\n');
  await call('add', '.');
  await call('commit', '-q', '-m', 'one');
  await call('tag', '-a', '-m', 'the first', 'v1');
  await call('checkout', '-q', '-b', 'side/branch');
  await call('commit', '-q', '--allow-empty', '-m', 'two');
  await call('tag', 'light');
  await call('clone', '-q', '--bare', '.', '../source.git');
  const repository = join(directory, 'source.git');
  await git(repository, 'symbolic-ref', 'HEAD', 'refs/heads/trunk');
  await git(repository, 'config', 'filter.evil.smudge', `touch ${directory}/pwned`);
  const hook = join(repository, 'hooks', 'post-update');
  await writeFile(hook, `#!/bin/sh\ntouch ${directory}/pwned\n`);
  await chmod(hook, 0o755);
  return { directory, repository };
}

const names = (repository: string): Promise<string> =>
  git(repository, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags');

test('a Git repository is mirrored over HTTP: the same commits, tags and HEAD, and nothing of it is run', async (t) => {
  const { directory, repository: original } = await source(t);
  const url = `${await serveHttp(t, guarded('importer', 'p@ss/w:rd', gitBackend(directory)))}/source.git`;
  const launcher = new RecordingLauncher();
  const context = { ...contextIn(directory), launcher };
  const repository = join(directory, 'git');

  t.deepEqual(await detectSource({ url }, context), { status: 'needs-auth', refused: false });
  const wrong = { url, username: 'importer', password: 'wr0ng' };
  t.deepEqual(await detectSource(wrong, context), { status: 'needs-auth', refused: true });
  t.like(await t.throwsAsync(convertSource({ url, vcs: 'git' }, { ...context, repository })), {
    failure: 'auth-needed',
  });
  const refused = await t.throwsAsync(convertSource({ ...wrong, vcs: 'git' }, { ...context, repository }));
  t.like(refused, { failure: 'auth-failed' });
  t.notRegex(JSON.stringify(refused) + String(refused), /wr0ng/);
  const known = { url, username: 'importer', password: 'p@ss/w:rd' };
  t.deepEqual(await detectSource(known, context), { status: 'found', vcs: 'git' });
  await convertSource(known, { ...context, repository });

  t.is(await names(repository), await names(original));
  t.is(await git(repository, 'symbolic-ref', 'HEAD'), 'refs/heads/trunk');
  t.false(launcher.showed('p@ss') || launcher.showed('importer') || launcher.showed('wr0ng'));
  await t.throwsAsync(readFile(join(directory, 'pwned')), { code: 'ENOENT' });
  const inUrl = url.replace('//', '//importer:p%40ss%2Fw%3Ard@');
  t.like(await detectSource({ url: inUrl }, context), { status: 'found' });
  t.deepEqual(
    (await authorsOf(repository, context)).map(({ name, email, commits }) => `${name} ${email} ${commits}`),
    ['Ann ann@example.org 2', 'Carl carl@example.org 0'],
  );

  await git(original, 'update-ref', '-d', 'refs/heads/side/branch');
  await git(original, 'update-ref', 'refs/heads/side', 'refs/heads/trunk');
  await convertSource(known, { ...context, repository });
  t.is(await names(repository), await names(original), 'a further import brings it to the same state');
});

test('what is no URL of a repository is refused, and what is none is told', async (t) => {
  const { directory } = await source(t);
  const server = await serveHttp(t, (asked, answer) => {
    asked.resume();
    answer
      .writeHead(asked.url?.startsWith('/gone') === true ? 404 : 200, { 'content-type': 'text/html' })
      .end('<html>');
  });
  const context = contextIn(directory);
  t.like(await detectSource({ url: server }, context), { status: 'found-nothing' });
  t.like(await detectSource({ url: 'http://127.0.0.1:9/x' }, context), { status: 'found-nothing' });
  t.deepEqual(await detectSource({ url: `file://${directory}/source.git` }, context), { status: 'found', vcs: 'git' });
  const convert = (url: string, more = {}) =>
    convertSource({ url, vcs: 'git' }, { ...context, repository: join(directory, 'git'), ...more });
  t.like(await t.throwsAsync(convert(`${server}/gone`)), { failure: 'not-a-repository' });
  t.like(await t.throwsAsync(convert('http://127.0.0.1:9/x')), { failure: 'unreachable' });
  for (const url of [
    'ext::sh -c true',
    '--upload-pack=x',
    'ssh://127.0.0.1/x',
    '/etc',
    'svn+ssh://h/x',
    'http:///',
    'x',
  ]) {
    t.like(await t.throwsAsync(convert(url), undefined, url), { failure: 'unsupported-url' }, url);
  }
  const local = convert(`file://${directory}/source.git`, { allowLocalFiles: false });
  t.like(await t.throwsAsync(local), { failure: 'unsupported-url' });
});
