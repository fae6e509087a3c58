import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDriver, sourceDriverSuite } from '@gantry/conformance';
import {
  commitsOf,
  contextIn,
  filesOf,
  forwardTo,
  git,
  RecordingLauncher,
  run,
  scratchFor,
  serveHttp,
  serveHttps,
  sessionsWith,
  trustTest,
  withPassword,
} from '@gantry/lib-source/testing';
import test from 'ava';
import definition from './index.js';
import { MercurialSource } from './mercurial-source.js';
import { MercurialFixture } from './testing/mercurial-fixture.js';
import { serveMercurial } from './testing/serve-mercurial.js';

sourceDriverSuite(test, () => openDriver(definition), {
  async createSource(directory) {
    const repository = join(directory, 'hg');
    await run(directory, 'hg', ['init', repository]);
    await writeFile(join(repository, 'a'), 'a\n');
    await run(repository, 'hg', ['commit', '-A', '-q', '-u', 'alice', '-d', '1000 0', '-m', 'one']);
    return { url: `file://${repository}`, commits: 1 };
  },
});

trustTest(
  test,
  () => new MercurialSource(sessionsWith()),
  async (t, directory, certificate) => {
    const fixture = await MercurialFixture.create(t, directory);
    await fixture.commit('a', 'alice', 1000);
    return serveHttps(t, certificate, forwardTo(await serveMercurial(t, fixture.repository)));
  },
);

test('every Mercurial changeset becomes a commit, over HTTP with a password that is not exposed', async (t) => {
  const directory = await scratchFor(t);
  const fixture = await MercurialFixture.create(t, directory);
  const original = fixture.repository;
  const hg = fixture.hg.bind(fixture);
  const commit = fixture.commit.bind(fixture);
  await commit('a', 'alice', 1000);
  await hg('tag', '-u', 'alice', '-d', '1500 0', 'v 1');
  await hg('branch', '-q', 'feature');
  await commit('f', 'Bob B <bob@example.org>', 2000);
  await hg('update', '-q', 'default');
  await commit('b', 'carol@example.org', 3000);
  await hg('merge', '-q', 'feature');
  await hg('commit', '-u', 'alice', '-d', '4000 0', '-m', 'merge');
  await hg('update', '-q', 'feature');
  await hg('commit', '--close-branch', '-u', 'weird <no address> = x', '-d', '5000 0', '-m', 'close');
  await hg('update', '-q', 'default');
  await hg('bookmark', 'mark');
  await commit('ü', '"Dave" <dave>', 6000);
  await hg('branch', '-q', 'sp ace');
  await commit('s', 'alice', 7000);

  const server = await serveMercurial(t, original);
  const url = await serveHttp(t, withPassword('importer', 's3cret', forwardTo(server)));
  const launcher = new RecordingLauncher();
  const source = new MercurialSource(sessionsWith(launcher));
  const context = contextIn(directory);
  const repository = join(directory, 'git');
  t.deepEqual(await source.detect({ url: server }, context), { status: 'found' });
  t.deepEqual(await source.detect({ url }, context), { status: 'needs-auth', refused: false });
  const wrong = { url, username: 'importer', password: 'wr0ng' } as const;
  t.like(await t.throwsAsync(source.convert(wrong, { ...context, repository })), { failure: 'auth-failed' });
  await source.convert({ url, username: 'importer', password: 's3cret' }, { ...context, repository });
  t.false(launcher.exposed('s3cret') || launcher.exposed('wr0ng') || launcher.exposed('importer'));

  const root = await hg('log', '-r', '0', '-T', '{node}');
  t.deepEqual([...(await commitsOf(repository, '--all'))].sort(), [
    `Bob B <bob@example.org> 2000 change 2000\nof f`,
    `Dave <Dave@${root}> 6000 change 6000\nof ü`,
    `alice <alice@${root}> 1000 change 1000\nof a`,
    `alice <alice@${root}> 1500 Added tag v 1 for changeset ${root.slice(0, 12)}`,
    `alice <alice@${root}> 4000 merge`,
    `alice <alice@${root}> 7000 change 7000\nof s`,
    `carol@example.org <carol@example.org> 3000 change 3000\nof b`,
    `weird <weird@${root}> 5000 close`,
  ]);
  const refs = await git(
    repository,
    'for-each-ref',
    '--format=%(refname) %(contents:subject)',
    'refs/heads',
    'refs/tags',
  );
  t.deepEqual(refs.split('\n'), [
    'refs/heads/mark change 7000',
    'refs/heads/master change 6000',
    'refs/heads/sp-ace change 7000',
    'refs/tags/closed/feature close',
    'refs/tags/v-1 change 1000',
  ]);
  const archive = join(directory, 'archive');
  await hg('archive', '-q', '-r', 'sp ace', '-X', '.hg_archival.txt', archive);
  const files = await filesOf(repository, 'sp-ace');
  t.deepEqual(Object.keys(files).sort(), (await readdir(archive)).filter((name) => name !== '.hg_archival.txt').sort());
  for (const name of Object.keys(files)) t.is(`${files[name]}\n`, await readFile(join(archive, name), 'utf8'), name);
  t.is(await git(repository, 'log', '-1', '--format=%ai', 'v-1'), '1970-01-01 01:16:40 +0100');
  t.is((await git(repository, 'rev-list', '--min-parents=2', '--all')).split('\n').length, 1);

  // The source's own settings are ignored.
  await writeFile(join(original, '.hg', 'hgrc'), `[hooks]\noutgoing = touch ${directory}/pwned\n`);
  await commit('later', 'alice', 8000);
  await source.convert({ url: `file://${original}` }, { ...context, repository });
  t.is((await commitsOf(repository, '--all')).length, 9, 'a further import fetches what is new');
  await t.throwsAsync(readFile(join(directory, 'pwned')), { code: 'ENOENT' });
});

test('an empty Mercurial repository is an empty Git repository', async (t) => {
  const directory = await scratchFor(t);
  await run(directory, 'hg', ['init', 'hg']);
  const repository = join(directory, 'git');
  const source = new MercurialSource(sessionsWith());
  await source.convert({ url: `file://${directory}/hg` }, { ...contextIn(directory), repository });
  t.is(await git(repository, 'for-each-ref'), '');
});
