import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HostedListeners } from '@gantry/hosted-api/service';
import { eventually } from '@gantry/test-engine';
import { Octokit } from '@octokit/rest';
import test from 'ava';
import { importHarness } from './testing/harness.js';

const run = promisify(execFile);
const tools = { owner: 'octavia', repo: 'tools' };
const vcs_url = 'https://source.example/octavia/tools';

test('octokit starts, follows, changes and cancels an import', async (t) => {
  const { fake, token: tokenFor, until, url } = await importHarness(t);
  const auth = await tokenFor('octavia');
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error };
  const { migrations, repos } = new Octokit({ auth, baseUrl: url, log: quiet, request: { log: quiet } });
  t.is((await repos.createForAuthenticatedUser({ name: 'more', private: true })).data.full_name, 'octavia/more');
  t.true((await repos.get({ ...tools, repo: 'more' })).data.private);
  fake.detection = { status: 'needs-auth', refused: false };
  const { status, data } = await migrations.startImport({ ...tools, vcs_url, vcs_username: 'octavia' });
  t.deepEqual([status, data.status, data.vcs_url], [201, 'detecting', vcs_url]);
  await until('detection_needs_auth', auth);
  fake.detection = { status: 'found', vcs: 'mercurial' };
  fake.largeFiles = [{ refName: 'refs/heads/main', path: 'disk.iso', oid: 'b'.repeat(40), size: 2 ** 30 }];
  t.is((await migrations.updateImport({ ...tools, vcs_password: 'hunter2' })).data.status, 'detecting');
  await until('complete', auth);
  t.like((await migrations.getImportStatus(tools)).data, { status: 'complete', vcs: 'mercurial', authors_count: 2 });
  const { data: authors } = await migrations.getCommitAuthors({ ...tools, since: 1 });
  t.deepEqual(
    authors.map(({ id, remote_name: name }) => [id, name]),
    [[2, 'moon']],
  );
  const mapped = await migrations.mapCommitAuthor({ ...tools, author_id: 2, email: 'moon@example.com', name: 'Moon' });
  t.like(mapped.data, { id: 2, email: 'moon@example.com', name: 'Moon', remote_id: 'moon' });
  t.like((await migrations.getLargeFiles(tools)).data, [{ path: 'disk.iso', size: 2 ** 30 }]);
  t.is((await migrations.setLfsPreference({ ...tools, use_lfs: 'opt_in' })).data.use_lfs as unknown, 'opt_in');
  await until('complete', auth);
  t.is((await migrations.cancelImport(tools)).status, 204);
  t.like(await t.throwsAsync(migrations.getImportStatus(tools)), { status: 404 });
  t.like(await t.throwsAsync(migrations.startImport({ ...tools, vcs_url: 'nowhere' })), { status: 422 });
});

test('gh starts and follows an import', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-import-gh-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '1', '-nodes'];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', ...subject];
  await run('openssl', [...made, '-keyout', key, '-out', cert]);
  const { engine, token: tokenFor } = await importHarness(t, { surface: { tls: { cert, key } } });
  const token = await tokenFor('octavia');
  const [address = ''] = engine.kernel.service(HostedListeners).addresses;
  const env = {
    ...{ PATH: process.env.PATH, HOME: directory, GH_CONFIG_DIR: directory, SSL_CERT_FILE: cert },
    ...{ GH_HOST: address.replace('127.0.0.1', 'localhost'), GH_ENTERPRISE_TOKEN: token, GH_NO_UPDATE_NOTIFIER: '1' },
  };
  const gh = async (...args: readonly string[]) => (await run('gh', ['api', ...args], { env })).stdout.trim();
  const path = '/repos/octavia/tools/import';
  t.is(await gh('-X', 'PUT', path, '-f', `vcs_url=${vcs_url}`, '-f', 'vcs=git', '-q', '.status'), 'importing');
  await eventually('its end', async () => (await gh(path, '-q', '.status')) === 'complete');
  t.is(await gh(`${path}/authors`, '-q', '.[].remote_name'), 'hubot\nmoon');
  t.is(await gh('-X', 'PATCH', `${path}/authors/1`, '-f', 'name=Hubot', '-q', '.name'), 'Hubot');
  await eventually('its end', async () => (await gh(path, '-q', '.status')) === 'complete');
  t.is(await gh('-X', 'DELETE', path), '');
});

// PyGithub is Debian's, for Debian's Python.
const python = '/usr/bin/python3';

test('PyGithub starts and follows an import', async (t) => {
  const { token: tokenFor, until, url } = await importHarness(t);
  const token = await tokenFor('octavia');
  const script = (lines: readonly string[]) => {
    const code = [
      'import sys',
      'from github import Github',
      'repository = Github(base_url=sys.argv[1], login_or_token=sys.argv[2]).get_repo("octavia/tools")',
      ...lines,
    ];
    return run(python, ['-c', code.join('\n'), `${url}/api/v3`, token]);
  };
  const started = await script([`print(repository.create_source_import("git", "${vcs_url}").status)`]);
  t.is(started.stdout.trim(), 'importing');
  await until('complete', token);
  const found = await script([
    'found = repository.get_source_import()',
    'print(found.status, found.status_text, found.vcs, found.authors_url, found.has_large_files)',
  ]);
  t.is(found.stdout.trim(), `complete Done git ${url}/api/v3/repos/octavia/tools/import/authors False`);
});
