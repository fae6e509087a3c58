import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDriver, sourceDriverSuite } from '@gantry/conformance';
import {
  contextIn,
  convertedRepositories,
  git,
  gitBackend,
  RecordingLauncher,
  run,
  scratchFor,
  serveHttp,
  serveHttps,
  sessionsWith,
  trustTest,
  withPassword,
} from '@gantry/lib-source/testing';
import test, { type ExecutionContext } from 'ava';
import { GitSource } from './git-source.js';
import definition from './index.js';

/** A bare repository with one commit on `master`. */
async function createBare(directory: string): Promise<string> {
  const repository = join(directory, 'source.git');
  await run(directory, 'git', ['init', '-q', '--bare', repository]);
  const tree = await git(repository, 'hash-object', '-t', 'tree', '-w', '/dev/null');
  const identity = ['-c', 'user.name=alice', '-c', 'user.email=alice@example.org'];
  const commit = await git(repository, ...identity, 'commit-tree', '-m', 'one', tree);
  await git(repository, 'update-ref', 'refs/heads/master', commit);
  return repository;
}

sourceDriverSuite(test, () => openDriver(definition), {
  createSource: async (directory) => ({ url: `file://${await createBare(directory)}`, commits: 1 }),
});

trustTest(
  test,
  () => new GitSource(sessionsWith()),
  async (t, directory, certificate) => {
    await createBare(directory);
    return `${await serveHttps(t, certificate, gitBackend(directory))}/source.git`;
  },
);

/** Two commits of different authors, a branch, two tags, and a hook and a filter that must not run. */
async function createSource(t: ExecutionContext): Promise<{ directory: string; repository: string }> {
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

test('a Git repository is mirrored over HTTP: the same commits, tags and HEAD, and no hook or filter runs', async (t) => {
  const { directory, repository: original } = await createSource(t);
  const url = `${await serveHttp(t, withPassword('importer', 'p@ss/w:rd', gitBackend(directory)))}/source.git`;
  const launcher = new RecordingLauncher();
  const source = new GitSource(sessionsWith(launcher));
  const context = contextIn(directory);
  const repository = join(directory, 'git');

  t.deepEqual(await source.detect({ url }, context), { status: 'needs-auth', refused: false });
  const wrong = { url, username: 'importer', password: 'wr0ng' };
  t.deepEqual(await source.detect(wrong, context), { status: 'needs-auth', refused: true });
  t.like(await t.throwsAsync(source.convert({ url }, { ...context, repository })), {
    failure: 'auth-needed',
  });
  const refused = await t.throwsAsync(source.convert({ ...wrong }, { ...context, repository }));
  t.like(refused, { failure: 'auth-failed' });
  t.notRegex(JSON.stringify(refused) + String(refused), /wr0ng/);
  const known = { url, username: 'importer', password: 'p@ss/w:rd' };
  t.deepEqual(await source.detect(known, context), { status: 'found' });
  await source.convert(known, { ...context, repository });

  t.is(await names(repository), await names(original));
  t.is(await git(repository, 'symbolic-ref', 'HEAD'), 'refs/heads/trunk');
  t.false(launcher.exposed('p@ss') || launcher.exposed('importer') || launcher.exposed('wr0ng'));
  await t.throwsAsync(readFile(join(directory, 'pwned')), { code: 'ENOENT' });
  const inUrl = url.replace('//', '//importer:p%40ss%2Fw%3Ard@');
  t.like(await source.detect({ url: inUrl }, context), { status: 'found' });
  t.deepEqual(
    (await convertedRepositories.authors(repository, context)).map(
      ({ name, email, commits }) => `${name} ${email} ${commits}`,
    ),
    ['Ann ann@example.org 2', 'Carl carl@example.org 0'],
  );

  await git(original, 'update-ref', '-d', 'refs/heads/side/branch');
  await git(original, 'update-ref', 'refs/heads/side', 'refs/heads/trunk');
  await source.convert(known, { ...context, repository });
  t.is(await names(repository), await names(original), 'a further import brings it to the same state');
});

test('a server without a repository and a local path are reported as such', async (t) => {
  const { directory } = await createSource(t);
  const source = new GitSource(sessionsWith());
  const server = await serveHttp(t, (request, response) => {
    request.resume();
    response
      .writeHead(request.url?.startsWith('/gone') === true ? 404 : 200, { 'content-type': 'text/html' })
      .end('<html>');
  });
  const context = contextIn(directory);
  t.like(await source.detect({ url: server }, context), { status: 'found-nothing' });
  t.like(await t.throwsAsync(source.detect({ url: 'http://127.0.0.1:9/x' }, context)), { failure: 'unreachable' });
  t.deepEqual(await source.detect({ url: `file://${directory}/source.git` }, context), { status: 'found' });
  const convert = (url: string, more = {}) =>
    source.convert({ url }, { ...context, repository: join(directory, 'git'), ...more });
  t.like(await t.throwsAsync(convert(`${server}/gone`)), { failure: 'not-a-repository' });
  t.like(await t.throwsAsync(convert('http://127.0.0.1:9/x')), { failure: 'unreachable' });
  const local = convert(`file://${directory}/source.git`, { allowLocalFiles: false });
  t.like(await t.throwsAsync(local), { failure: 'unsupported-url' });
});
