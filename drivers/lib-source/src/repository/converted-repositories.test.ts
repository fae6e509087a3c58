import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { commitsOf, contextIn, filesOf, git, run, scratchFor } from '../testing/scratch.js';
import { convertedRepositories, sessionsWith } from '../testing/sessions-with.js';
import { adoptRepository, createRepository, publishAdopted } from './adopt-repository.js';
import type { SourceAuthor } from './repository-facts.js';
import type { Rewrite } from './rewrite-repository.js';
import { plainName, validAuthor } from './valid-author.js';

const limitBytes = 1000;
const big = (letter: string): string => `${letter.repeat(1500)}\n`;

/** A converted repository with a history that is hard to rewrite. */
async function converted(t: ExecutionContext) {
  const directory = await scratchFor(t);
  const work = join(directory, 'source');
  await mkdir(join(work, 'dir'), { recursive: true });
  let seconds = 1_200_000_000;
  const call = (name: string, ...args: string[]): Promise<string> => {
    seconds += 1;
    const email = `${name.toLowerCase()}@example.org`;
    const dates = { GIT_AUTHOR_DATE: `${seconds} +0130`, GIT_COMMITTER_DATE: `${seconds} +0130` };
    const people = {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    };
    return run(work, 'git', args, { ...people, ...dates });
  };
  const commit = async (name: string, message: string, files: Record<string, string>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) await writeFile(join(work, path), text);
    await call(name, 'add', '-A');
    await call(name, 'commit', '-q', '--allow-empty', '-m', message);
  };
  await call('Ann', 'init', '-q', '-b', 'master');
  await commit('Ann', 'one', { a: 'a\n', 'dir/bü g*.bin': 'small\n' });
  // Messages and contents that look like commands of the stream.
  await commit('Bob', 'commit refs/heads/x\nauthor Ann <ann@example.org> 1 +0000\ndata 5\n', {
    'dir/bü g*.bin': big('b'),
  });
  await call('Ann', 'checkout', '-q', '-b', 'side', 'HEAD~1');
  await commit('Ünal', 'on the side', { other: big('o'), '.gitattributes': 'a text' });
  await call('Ann', 'checkout', '-q', 'master');
  await call('Cleo', 'merge', '-q', '--no-edit', 'side');
  await call('Cleo', 'tag', '-a', '-m', 'a tag', 'v1');
  await call('Ann', 'tag', 'of-a-file', 'HEAD:a');
  await commit('Ann', 'away with it', { '.gitattributes': 'x', other: 'little\n' });
  await call('Ann', 'rm', '-q', '.gitattributes');
  await commit('Ann', 'last', {});
  const repository = join(directory, 'git');
  const context = contextIn(directory);
  await sessionsWith().convert({ url: `file://${work}` }, { ...context, repository }, async ({ git: tool }) => {
    await createRepository(tool, 'converting', repository);
    await adoptRepository(tool, 'converting', repository, work);
    await publishAdopted(tool, 'converting', repository, 'master');
  });
  const rewrite = (change: Rewrite) => convertedRepositories.rewrite(repository, { limitBytes, ...change }, context);
  const names = () => git(repository, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags');
  return { directory, repository, context, rewrite, names, original: await names() };
}

const called = (authors: readonly SourceAuthor[], who: string, name: string, email: string) => {
  const author = authors.find(({ remoteName }) => remoteName === who);
  return { remoteId: author?.remoteId ?? '', remoteName: who, name, email };
};

test('authors are mapped repeatedly, always from the source, and nothing else changes', async (t) => {
  const { repository, context, rewrite, names, original } = await converted(t);
  const authors = await convertedRepositories.authors(repository, context);
  t.deepEqual(
    authors.map(({ name, commits }) => `${name} ${commits}`),
    ['Ann 3', 'Ünal 1', 'Bob 1', 'Cleo 1'].sort((a, b) => order(authors, a) - order(authors, b)),
  );
  const before = await commitsOf(repository, 'master');
  const trees = await git(repository, 'log', '--format=%T', 'master');
  const bob = called(authors, 'Bob', 'Robert <x>', 'robert@example.net');
  const cleo = called(authors, 'Cleo', 'Cleo', 'cleo@example.net');
  await rewrite({ authors: [bob, cleo] });
  const expected = before.map((entry) =>
    entry
      .replace('Bob <bob@example.org>', 'Robert x <robert@example.net>')
      .replace('cleo@example.org', 'cleo@example.net'),
  );
  t.deepEqual(await commitsOf(repository, 'master'), expected);
  t.is(await git(repository, 'log', '--format=%T', 'master'), trees);
  t.is(
    await git(repository, 'for-each-ref', '--format=%(taggername) %(taggeremail)', 'refs/tags/v1'),
    'Cleo <cleo@example.net>',
  );
  t.is(await git(repository, 'log', '--format=%cn', '--author=robert'), 'Robert x');
  t.is(await git(repository, 'rev-parse', 'of-a-file'), await git(repository, 'rev-parse', 'master:a'));

  await rewrite({ authors: [called(authors, 'Ann', 'Anna', 'ann@example.org'), cleo] });
  const log = (await commitsOf(repository, '--all')).join('\n');
  t.true(log.includes('Anna <ann@example.org>') && log.includes('Bob <bob@example.org>') && !log.includes('Robert x'));
  t.deepEqual(await convertedRepositories.authors(repository, context), authors, 'the source is unchanged');
  await git(repository, 'fsck', '--strict', '--no-dangling');
  await rewrite({});
  t.is(await names(), original);
});

const order = (authors: readonly SourceAuthor[], text: string): number =>
  authors.findIndex(({ name }) => text.startsWith(name));

test('large files are listed, and moved to Git LFS or removed from every commit, together with a mapping', async (t) => {
  const { directory, repository, context, rewrite, names, original } = await converted(t);
  const files = await convertedRepositories.largeFiles(repository, limitBytes, context);
  t.deepEqual(
    files.map(({ path, size, refName }) => ({ path, size, refName })),
    ['dir/bü g*.bin', 'other'].map((path) => ({ path, size: 1501, refName: 'refs/heads/master' })),
  );
  t.deepEqual(await convertedRepositories.largeFiles(repository, 1501, context), []);

  const authors = await convertedRepositories.authors(repository, context);
  const mapping = [called(authors, 'Bob', 'Robert', 'robert@example.net')];
  await rewrite({ largeFiles: 'lfs', authors: mapping });
  const merged = await filesOf(repository, 'v1');
  t.regex(merged['dir/bü g*.bin'] ?? '', /^version https:\/\/git-lfs[\s\S]*size 1501$/);
  t.regex(
    (await filesOf(repository, 'master')).other ?? '',
    /^version [\s\S]*size 7$/,
    'a small version is moved as well',
  );
  t.regex(
    merged['.gitattributes'] ?? '',
    /^a text\n\/dir\/bü\[\[:space:\]\]g\\\*.bin filter=lfs .*\n\/other filter=lfs/,
  );
  t.regex((await filesOf(repository, 'master'))['.gitattributes'] ?? '', /^\/dir/);
  t.true((await commitsOf(repository, 'master')).some((entry) => entry.startsWith('Robert <robert@example.net>')));

  const target = join(directory, 'pushed');
  const percents: number[] = [];
  await convertedRepositories.push(repository, target, { ...context, onProgress: (percent) => percents.push(percent) });
  t.is(percents.at(-1), 100);
  t.true(percents.length > 1 && percents.every((percent, index) => percent >= (percents[index - 1] ?? 0)));
  await run(directory, 'git', ['clone', '-q', target, 'clone'], { GIT_LFS_SKIP_SMUDGE: '1' });
  const clone = join(directory, 'clone');
  await git(clone, 'lfs', 'install', '--local');
  await git(clone, 'config', 'lfs.url', `file://${target}`);
  await git(clone, 'checkout', '-q', 'v1');
  await git(clone, 'lfs', 'pull');
  t.is(await readFile(join(clone, 'dir/bü g*.bin'), 'utf8'), big('b'));
  t.is(await readFile(join(clone, 'other'), 'utf8'), big('o'));

  await rewrite({ largeFiles: 'remove' });
  t.deepEqual(Object.keys(await filesOf(repository, 'v1')).sort(), ['.gitattributes', 'a']);
  t.deepEqual(Object.keys(await filesOf(repository, 'master')).sort(), ['a', 'other']);
  t.deepEqual(
    Object.keys(await filesOf(repository, 'master~2^2~1')),
    ['a', 'dir/bü g*.bin'],
    'its first version is small',
  );
  t.deepEqual(await convertedRepositories.largeFiles(repository, limitBytes, context), files, 'they remain listed');
  await rewrite({ largeFiles: 'keep' });
  t.is(await names(), original);
});

test('a push brings another repository to the same state in one step, without running its hooks', async (t) => {
  const { directory, repository, context, names, original } = await converted(t);
  const target = join(directory, 'hosted');
  await run(directory, 'git', ['init', '-q', '--bare', target]);
  const hook = join(target, 'hooks', 'pre-receive');
  await writeFile(hook, `#!/bin/sh\ntouch ${directory}/pwned\nexit 1\n`, { mode: 0o755 });
  await git(target, 'config', 'receive.denyNonFastForwards', 'true');
  await git(target, 'config', 'receive.denyDeletes', 'true');
  await convertedRepositories.push(repository, target, context);
  await git(target, 'update-ref', 'refs/heads/old/side', 'refs/heads/master');
  await git(target, 'update-ref', '-d', 'refs/heads/side');
  await git(target, 'update-ref', 'refs/heads/side/of/it', 'refs/heads/master');
  await git(target, 'update-ref', 'refs/heads/master', 'refs/heads/master~1');
  await convertedRepositories.push(repository, target, context);
  t.is(await git(target, 'for-each-ref', '--format=%(objectname) %(refname)'), original);
  t.is(original, await names());
  t.is(await git(target, 'symbolic-ref', 'HEAD'), 'refs/heads/master');
  await t.throwsAsync(access(join(directory, 'pwned')), { code: 'ENOENT' });
});

test('an aborted rewrite leaves branches and tags unchanged', async (t) => {
  const { directory, repository, context, names, original } = await converted(t);
  const authors = [{ remoteId: 'ann@example.org', remoteName: 'Ann', name: 'Anna', email: 'anna@example.org' }];
  const controller = new AbortController();
  const stopped = convertedRepositories.rewrite(repository, { authors }, { ...context, signal: controller.signal });
  controller.abort(new Error('cancelled'));
  await t.throwsAsync(stopped, { message: 'cancelled' });
  t.is(await names(), original);
  const left = await readdir(join(directory, 'work'));
  t.false(
    left.some((name) => name.startsWith('home')),
    'its home is removed',
  );
});

test('every author of a source gets a valid identity', (t) => {
  const person = (text: string): string => {
    const { name, email } = validAuthor(text, 'd');
    return `${name} <${email}>`;
  };
  t.is(person('alice'), 'alice <alice@d>');
  t.is(person('Bob B <bob@example.org>'), 'Bob B <bob@example.org>');
  t.is(person('bob@example.org'), 'bob@example.org <bob@example.org>');
  t.is(person('<bob@example.org>'), 'bob@example.org <bob@example.org>');
  t.is(person('Jürgen Müller'), 'Jürgen Müller <Jürgen.Müller@d>');
  t.is(person('CORP\\x\n <no address>'), 'CORP\\x <CORP.x@d>');
  t.is(person(''), 'unknown <unknown@d>');
  t.is(person('<>'), 'unknown <unknown@d>');
  t.is(plainName(' "A\0<B>" '), 'A B');
});
