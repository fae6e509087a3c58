import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDriver, sourceDriverSuite } from '@gantry/conformance';
import type { SourceProgress, SourceRepository } from '@gantry/core/contracts';
import {
  commitsOf,
  contextIn,
  convertedRepositories,
  filesOf,
  git,
  RecordingLauncher,
  scratchFor,
  sessionsWith,
  trustTest,
} from '@gantry/lib-source/testing';
import test from 'ava';
import definition from './index.js';
import { SubversionSource } from './subversion-source.js';
import { serveApache } from './testing/serve-apache.js';
import { serveSubversion } from './testing/serve-subversion.js';
import { SubversionFixture } from './testing/subversion-fixture.js';

sourceDriverSuite(test, () => openDriver(definition), {
  async createSource(directory) {
    const fixture = await SubversionFixture.create(directory);
    await fixture.write({ 'trunk/a': '1\n' });
    await fixture.commit('alice', 'one');
    return { url: fixture.url, commits: 1 };
  },
});

// Apache is the only server that speaks Subversion over HTTPS.
trustTest(
  test,
  () => new SubversionSource(sessionsWith()),
  async (t, directory, certificate) => {
    const fixture = await SubversionFixture.create(directory);
    await fixture.write({ 'trunk/a': '1\n' });
    await fixture.commit('alice', 'one');
    return `${await serveApache(t, directory, { username: 'x', password: 'x', certificate })}/open/svn`;
  },
);

const source = new SubversionSource(sessionsWith());

const refs = (repository: string, ...patterns: string[]): Promise<string> =>
  git(repository, 'for-each-ref', '--format=%(refname)', ...patterns);

test('every revision of a standard layout becomes a commit with its author, date, message and files', async (t) => {
  const directory = await scratchFor(t);
  const fixture = await SubversionFixture.create(directory);
  await fixture.write({ 'trunk/a': '1\n', 'trunk/sub/ü x': 's\n', 'branches/.keep': '', 'tags/.keep': '' });
  await fixture.svn('propset', '-q', 'svn:ignore', '*.o', 'trunk');
  await fixture.commit('alice', 'the layout');
  await fixture.write({ 'trunk/a': '2\n' });
  await fixture.commit('bob', 'a change\n\nwith more to say');
  await fixture.copyFolder('trunk', 'branches/feature', 'bob', 'a branch');
  await fixture.write({ 'branches/feature/b': 'b\n' });
  await fixture.commit('carol@example.org', 'work on it');
  await fixture.copyFolder('trunk', 'tags/v 1.0', 'Dave <D>', 'a tag');
  await fixture.copyFolder('trunk', 'branches/master', 'alice', 'a branch with the name of the trunk');
  await fixture.svn('rm', '-q', `${fixture.url}/branches/feature`, '-m', 'gone', '--username', 'alice');
  await fixture.svn('update', '-q');
  await fixture.write({ 'trunk/a': '3\n' });
  await fixture.commit('bob', 'the last');

  const repository = join(directory, 'git');
  const seen: SourceProgress[] = [];
  await source.convert(
    { url: fixture.url },
    { ...contextIn(directory), repository, onProgress: (progress) => seen.push(progress) },
  );

  t.is(
    await refs(repository, 'refs/heads', 'refs/tags'),
    ['refs/heads/branches-master', 'refs/heads/master', 'refs/tags/backups/feature@7', 'refs/tags/v-1.0'].join('\n'),
  );
  const uuid = await fixture.svn('info', '--show-item', 'repos-uuid', fixture.url);
  const log = await fixture.svn('log', '--xml', '-r', '1:HEAD', fixture.url);
  const seconds = [...log.matchAll(/<date>(.*?)<\/date>/g)].map(([, date = '']) => Math.floor(Date.parse(date) / 1000));
  t.deepEqual(await commitsOf(repository, 'master'), [
    `alice <alice@${uuid}> ${seconds[0]} the layout`,
    `bob <bob@${uuid}> ${seconds[1]} a change\nwith more to say`,
    `bob <bob@${uuid}> ${seconds[7]} the last`,
  ]);
  t.deepEqual(await commitsOf(repository, 'master..backups/feature@7'), [
    `bob <bob@${uuid}> ${seconds[2]} a branch`,
    `carol@example.org <carol@example.org> ${seconds[3]} work on it`,
  ]);
  const ignored = { '.gitignore': '/*.o' };
  for (const [ref, folder, revision] of [
    ['master~2', 'trunk', 1],
    ['master~1', 'trunk', 2],
    ['master', 'trunk', 8],
    ['backups/feature@7', 'branches/feature', 4],
    ['v-1.0', 'tags/v 1.0', 5],
    ['branches-master', 'branches/master', 6],
  ] as const) {
    t.deepEqual(await filesOf(repository, ref), { ...ignored, ...(await fixture.files(folder, revision)) }, ref);
  }
  const authors = await convertedRepositories.authors(repository, { scratch: join(directory, 'work') });
  t.deepEqual(
    authors.map(({ remoteId, remoteName, commits }) => `${remoteName} ${remoteId} ${commits}`).sort(),
    [
      `Dave Dave@${uuid} 1`,
      `alice alice@${uuid} 2`,
      `bob bob@${uuid} 3`,
      'carol@example.org carol@example.org 1',
    ].sort(),
  );
  t.deepEqual(seen.at(-1), { commitCount: 8, percent: 100 });
  t.true(seen.length > 2 && seen.every(({ percent }, index) => percent >= (seen[index - 1]?.percent ?? 0)));

  await fixture.write({ 'trunk/later': 'l\n' });
  await fixture.commit('alice', 'later');
  await source.convert({ url: fixture.url }, { ...contextIn(directory), repository });
  t.is((await commitsOf(repository, 'master')).length, 4, 'a further import fetches what is new');
});

test('several projects are offered for choice, and a repository without the layout is one branch', async (t) => {
  const directory = await scratchFor(t);
  const fixture = await SubversionFixture.create(directory);
  await fixture.write({ 'one/trunk/a': '1\n', 'one/tags/.k': '', 'a+b (x)/Trunk/b': '2\n', 'docs/read me': 'r\n' });
  await fixture.commit('alice', 'for both');
  await fixture.write({ 'one/trunk/a': '3\n' });
  await fixture.commit('bob', 'just one');
  const url = `${await serveSubversion(t, directory)}/svn`;

  const everything = { project: '/', humanName: 'everything, as one branch (svn)' };
  const choice = (project: string) => ({ project, humanName: `${project} (svn)` });
  t.deepEqual(await source.detect({ url }, contextIn(directory)), {
    status: 'found-multiple',
    choices: [choice('a+b (x)'), choice('one'), everything],
  });
  t.deepEqual(await source.detect({ url: `${url}/one` }, contextIn(directory)), { status: 'found' });

  const convert = async (name: string, from: SourceRepository): Promise<string> => {
    const repository = join(directory, name);
    await source.convert(from, { ...contextIn(directory, `${name}.work`), repository });
    return repository;
  };
  const one = await convert('by-project', { url, project: 'one' });
  t.deepEqual(
    (await commitsOf(one, 'master')).map((line) => line.split(' ').at(-1)),
    ['both', 'one'],
  );
  t.deepEqual(await filesOf(one, 'master'), { a: '3' });
  t.deepEqual(await filesOf(await convert('by-url', { url: `${url}/one` }), 'master'), { a: '3' });
  t.deepEqual(await filesOf(await convert('odd', { url, project: 'a+b (x)' }), 'master'), { b: '2' });
  const whole = await convert('whole', { url });
  t.deepEqual(Object.keys(await filesOf(whole, 'master')).sort(), [
    'a+b (x)/Trunk/b',
    'docs/read me',
    'one/tags/.k',
    'one/trunk/a',
  ]);
  t.is((await commitsOf(whole, 'master')).length, 2);
});

test('a Subversion password is required, refused, accepted, and not exposed', async (t) => {
  const directory = await scratchFor(t);
  const fixture = await SubversionFixture.create(directory);
  await fixture.write({ 'trunk/a': '1\n' });
  await fixture.commit('alice', 'just one');
  const conf = join(fixture.repository, 'conf');
  await writeFile(
    join(conf, 'svnserve.conf'),
    '[general]\nanon-access = none\nauth-access = read\npassword-db = passwd\n',
  );
  await writeFile(join(conf, 'passwd'), '[users]\nimporter = s3cret word\n');
  const url = `${await serveSubversion(t, directory)}/svn`;
  const launcher = new RecordingLauncher();
  const source = new SubversionSource(sessionsWith(launcher));
  const context = contextIn(directory);
  const repository = join(directory, 'git');

  t.deepEqual(await source.detect({ url }, context), { status: 'needs-auth', refused: false });
  t.deepEqual(await source.detect({ url, username: 'importer', password: 'wr0ng' }, context), {
    status: 'needs-auth',
    refused: true,
  });
  await t.throwsAsync(source.convert({ url }, { ...context, repository }), {
    message: /asks for credentials/,
  });
  const refused = await t.throwsAsync(
    source.convert({ url, username: 'importer', password: 'wr0ng' }, { ...context, repository }),
  );
  t.like(refused, { failure: 'auth-failed', kind: 'unauthorized' });
  const known = { url, username: 'importer', password: 's3cret word' };
  t.like(await source.detect(known, context), { status: 'found' });
  await source.convert(known, { ...context, repository });
  t.is((await commitsOf(repository, 'master')).length, 1);
  t.false(launcher.exposed('s3cret') || launcher.exposed('importer') || launcher.exposed('wr0ng'));
  t.true(launcher.launched.length > 5);
});

// No other server speaks Subversion over HTTP.
test('a repository behind a web server is imported, whole or in part, with its password', async (t) => {
  const directory = await scratchFor(t);
  const fixture = await SubversionFixture.create(directory);
  await fixture.write({ 'one/trunk/a': '1\n', 'one/branches/.k': '', 'two/trunk/ü x': '2\n' });
  await fixture.commit('alice', 'for both');
  await fixture.copyFolder('one/trunk', 'one/branches/side', 'bob', 'a branch');
  await fixture.write({ 'one/branches/side/b': 'b\n', 'one/trunk/a': 'x'.repeat(300_000) });
  await fixture.commit('carol', 'on both');
  const [username, password] = ['importer', 's3cret: wörd'];
  const server = await serveApache(t, directory, { username, password });
  const context = contextIn(directory);
  const [open, closed] = [`${server}/open/svn`, `${server}/closed/svn`];

  t.like(await source.detect({ url: open }, context), { status: 'found-multiple', choices: { length: 3 } });
  t.deepEqual(await source.detect({ url: `${open}/one` }, context), { status: 'found' });
  t.like(await source.detect({ url: `${open}/none` }, context), { status: 'found-nothing' });
  t.deepEqual(await source.detect({ url: closed }, context), { status: 'needs-auth', refused: false });
  const wrong = { url: closed, username, password: 'wr0ng' };
  t.deepEqual(await source.detect(wrong, context), { status: 'needs-auth', refused: true });

  const repository = join(directory, 'git');
  const convert = (from: SourceRepository) => source.convert(from, { ...context, repository });
  t.like(await t.throwsAsync(convert({ url: `${closed}/one` })), { failure: 'auth-needed' });
  t.like(await t.throwsAsync(convert({ ...wrong, url: `${closed}/one` })), { failure: 'auth-failed' });
  await convert({ url: `${closed}/one`, username, password });
  t.deepEqual(
    (await commitsOf(repository, 'side')).map((line) => line.replace(/ <\S+ \d+/, '')),
    ['alice for both', 'bob a branch', 'carol on both'],
  );
  t.deepEqual(await filesOf(repository, 'side'), { a: '1', b: 'b' });
  t.is((await filesOf(repository, 'master')).a?.length, 300_000);
  await fixture.write({ 'one/trunk/later': 'l\n' });
  await fixture.commit('alice', 'later');
  await convert({ url: `${open}/one` });
  t.is((await commitsOf(repository, 'master')).length, 3, 'a further import fetches what is new');
});

test('an interrupted Subversion import resumes, and a damaged mirror is created again', async (t) => {
  const directory = await scratchFor(t);
  const fixture = await SubversionFixture.create(directory);
  for (let index = 1; index <= 8; index += 1) {
    await fixture.write({ 'trunk/a': `${index}\n` });
    await fixture.commit('alice', `change ${index}`);
  }
  const url = `${await serveSubversion(t, directory)}/svn`;
  const repository = join(directory, 'git');
  const context = contextIn(directory);
  const controller = new AbortController();
  const onProgress = ({ percent }: SourceProgress): void => {
    if (percent > 20) controller.abort(new Error('interrupted'));
  };
  const options = { ...context, repository, onProgress, signal: controller.signal };
  await t.throwsAsync(source.convert({ url }, options), { message: 'interrupted' });
  // A killed daemon leaves an incomplete export.
  const conversion = join(context.scratch, 'conversion');
  await mkdir(join(conversion, 'export', 'converted'), { recursive: true });
  await writeFile(join(conversion, 'export', 'converted', 'HEAD'), 'half');
  await source.convert({ url }, { ...context, repository });
  t.is((await commitsOf(repository, 'master')).length, 8);
  await rm(join(conversion, 'mirror', 'format'));
  await source.convert({ url }, { ...context, repository });
  t.is((await commitsOf(repository, 'master')).length, 8);
});
