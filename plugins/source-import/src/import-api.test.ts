import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError } from '@gantry/core/contracts';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { importEndpoints, importHarness, importPath } from './testing/harness.js';

const vcs_url = 'https://source.example/octavia/tools';

test('unless enabled the endpoints answer 410 with the date of their removal', async (t) => {
  const { ask, json } = await importHarness(t, { config: { enabled: false } });
  for (const [method, path] of importEndpoints) {
    const answer = await ask(method, path);
    t.deepEqual([answer.status, answer.headers.get('sunset')], [410, 'Fri, 12 Apr 2024 00:00:00 GMT'], method);
  }
  const [, gone] = await json('GET', importPath);
  t.regex(String(gone.message), /removed on 2024-04-12/);
});

test('an import passes through its statuses, each with its fields', async (t) => {
  const { fake, json, until, token: tokenFor, url } = await importHarness(t);
  const token = await tokenFor('octavia');
  const [detect, convert, rewrite, push] = (['detect', 'convert', 'rewrite', 'push'] as const).map((step) =>
    fake.hold(step),
  );
  const common = {
    vcs_url,
    use_lfs: 'undecided',
    has_large_files: false,
    large_files_size: 0,
    large_files_count: 0,
    url: `${url}${importPath}`,
    html_url: `${url}/imports#octavia/tools`,
    authors_url: `${url}${importPath}/authors`,
    repository_url: `${url}/repos/octavia/tools`,
  };
  const detecting = { ...common, vcs: null, authors_count: 0, status: 'detecting', status_text: 'Detecting...' };
  t.deepEqual(await json('PUT', importPath, { token, body: { vcs_url } }), [201, detecting]);
  t.deepEqual(await json('GET', '/repos/OCTAVIA/Tools/import', { token }), [200, detecting], 'names have no case');
  detect?.();
  const importing = { ...common, vcs: 'git', authors_count: 0, status: 'importing', status_text: 'Importing...' };
  await until('importing', token);
  await eventually('figures', async () => (await json('GET', importPath, { token }))[1].percent === 10);
  const figures = { percent: 10, import_percent: 10, commit_count: 40 };
  t.deepEqual(await json('GET', importPath, { token }), [200, { ...importing, ...figures }]);
  convert?.();
  const mapping = { ...common, vcs: 'git', authors_count: 2, status: 'mapping', status_text: 'Rewriting commits...' };
  t.deepEqual(await until('mapping', token), mapping);
  rewrite?.();
  await until('pushing', token);
  await eventually('figures', async () => (await json('GET', importPath, { token }))[1].push_percent === 37);
  const pushing = { ...mapping, status: 'pushing', status_text: 'Pushing...', push_percent: 37 };
  t.deepEqual(await json('GET', importPath, { token }), [200, pushing]);
  push?.();
  t.deepEqual(await until('complete', token), { ...mapping, status: 'complete', status_text: 'Done' });
  t.deepEqual(fake.steps, ['detect', 'convert', 'authors', 'large-files', 'rewrite', 'push']);
  t.deepEqual(fake.rewrites, [
    {
      authors: [{ remoteId: 'moon', remoteName: 'moon', name: 'moon', email: 'moon@uuid' }],
      largeFiles: 'keep',
      limitBytes: 100_000_000,
    },
  ]);
});

test('an import with a given kind skips the detection', async (t) => {
  const { fake, json, until, token: tokenFor } = await importHarness(t);
  const token = await tokenFor('octavia');
  const open = fake.hold('convert');
  const [status, started] = await json('PUT', importPath, { token, body: { vcs_url, vcs: 'subversion' } });
  t.like([status, started], { 0: 201, 1: { status: 'importing', vcs: 'subversion', percent: 0, commit_count: 0 } });
  const [again, refused] = await json('PUT', importPath, { token, body: { vcs_url } });
  t.like([again, refused], { 0: 422, 1: { errors: { 0: { field: 'repository', code: 'already_exists' } } } });
  open();
  await until('complete', token);
  t.false(fake.steps.includes('detect'));
});

test('the result of the detection determines the next status', async (t) => {
  const { fake, json, until, token: tokenFor } = await importHarness(t);
  const token = await tokenFor('octavia');
  fake.detection = { status: 'found-nothing', reason: 'no server responds' };
  await json('PUT', importPath, { token, body: { vcs_url } });
  t.is((await until('detection_found_nothing', token)).message, 'no server responds');
  t.is((await json('DELETE', importPath, { token }))[0], 204);
  t.is((await json('GET', importPath, { token }))[0], 404);

  fake.detection = { status: 'needs-auth', refused: false };
  await json('PUT', importPath, { token, body: { vcs_url } });
  await until('detection_needs_auth', token);
  fake.detection = {
    status: 'found-multiple',
    vcs: 'tfvc',
    choices: [
      { project: 'One', humanName: 'One (tfvc)' },
      { project: 'Two', humanName: 'Two (tfvc)' },
    ],
  };
  const credentials = { vcs_username: 'octavia', vcs_password: 'hunter2' };
  const [code, restarted] = await json('PATCH', importPath, { token, body: credentials });
  t.like([code, restarted], { 0: 200, 1: { status: 'detecting' } });
  const { project_choices: choices } = await until('detection_found_multiple', token);
  t.deepEqual(choices, [
    { vcs: 'tfvc', tfvc_project: 'One', human_name: 'One (tfvc)' },
    { vcs: 'tfvc', tfvc_project: 'Two', human_name: 'Two (tfvc)' },
  ]);
  const wrong = await json('PATCH', importPath, { token, body: { vcs: 'tfvc', tfvc_project: 'Three' } });
  t.like(wrong, { 0: 422, 1: { errors: { 0: { field: 'tfvc_project', message: '"Three" is not one of One, Two' } } } });
  fake.detection = { status: 'found', vcs: 'tfvc' };
  t.is((await json('PATCH', importPath, { token, body: (choices as object[])[1] }))[0], 200);
  const complete = await until('complete', token);
  t.like(complete, { vcs: 'tfvc', tfvc_project: 'Two' });
  t.like(fake.sources.at(-1), { project: 'Two', username: 'octavia', password: 'hunter2' }, 'they are kept meanwhile');
  t.false(JSON.stringify(complete).includes('hunter2'));
});

test('refused credentials and other failures are reported with their step, and a restart continues', async (t) => {
  const { fake, json, until, token: tokenFor } = await importHarness(t);
  const token = await tokenFor('octavia');
  fake.failures.set('convert', new SourceError('auth-failed', 'the password is wrong', 'fetching'));
  const url = 'https://octavia:hunter2@source.example/tools';
  const [, started] = await json('PUT', importPath, { token, body: { vcs_url: url, vcs: 'git' } });
  t.is(started.vcs_url, 'https://source.example/tools');
  t.is((await until('auth_failed', token)).message, 'the password is wrong');
  t.like(fake.sources[0], { username: 'octavia', password: 'hunter2', url: 'https://source.example/tools' });
  for (const [step, status] of [
    ['detect', 'detecting'],
    ['convert', 'importing'],
    ['rewrite', 'mapping'],
    ['push', 'pushing'],
  ] as const) {
    fake.failures.set(step, new SourceError('tool-failed', 'git ended', 'turning pages'));
    t.is((await json('PATCH', importPath, { token }))[0], 200, 'no body restarts it');
    const failed = await until('error', token);
    t.like(failed, {
      failed_step: status,
      error_message: 'turning pages: git ended',
      status_text: 'The import failed',
    });
  }
  await json('PATCH', importPath, { token, body: {} });
  await until('complete', token);
  await json('PATCH', importPath, { token });
  t.is((await until('complete', token)).error_message, undefined);
});

test('a source of a given kind with several projects offers them for choice', async (t) => {
  const { fake, json, until, token: tokenFor } = await importHarness(t);
  const token = await tokenFor('octavia');
  fake.failures.set('convert', new SourceError('project-needed', 'there are two', 'fetching'));
  const choices = [{ project: '/one', humanName: 'one' }];
  fake.detection = { status: 'found-multiple', vcs: 'subversion', choices };
  await json('PUT', importPath, { token, body: { vcs_url, vcs: 'subversion' } });
  const found = await until('detection_found_multiple', token);
  t.deepEqual(found.project_choices, [{ vcs: 'subversion', svn_root: '/one', human_name: 'one' }]);
  fake.detection = { status: 'found', vcs: 'subversion' };
  await json('PATCH', importPath, { token, body: { svn_root: '/one' } });
  t.is((await until('complete', token)).svn_root, '/one');
});

test('authors are listed and mapped at any time, and every mapping reaches the repository', async (t) => {
  const { fake, json, until, token: tokenFor, url } = await importHarness(t);
  const token = await tokenFor('octavia');
  t.is((await json('GET', `${importPath}/authors`, { token }))[0], 404);
  const open = fake.hold('rewrite');
  await json('PUT', importPath, { token, body: { vcs_url, vcs: 'git' } });
  await until('mapping', token);
  await eventually('the rewrite', () => fake.rewrites.length === 1);
  const hubot = {
    id: 1,
    remote_id: 'hubot@source.example',
    remote_name: 'hubot',
    email: 'hubot@source.example',
    name: 'hubot',
    url: `${url}${importPath}/authors/1`,
    import_url: `${url}${importPath}`,
  };
  const [, authors] = await json('GET', `${importPath}/authors`, { token });
  t.deepEqual((authors as unknown as object[])[0], hubot);
  const [, later] = await json('GET', `${importPath}/authors?since=1`, { token });
  t.like(later, [{ id: 2, remote_name: 'moon' }] as never);
  t.deepEqual((await json('GET', `${importPath}/authors?since=2`, { token }))[1], [] as never);
  t.is((await json('GET', `${importPath}/authors?since=x`, { token }))[0], 422);
  const names = { email: 'hubot@example.com', name: 'Hubot the Robot' };
  t.deepEqual(await json('PATCH', `${importPath}/authors/1`, { token, body: names }), [
    200,
    { ...hubot, ...names },
  ] as never);
  open();
  await until('complete', token);
  t.is(fake.rewrites.length, 2, 'a mapping during the rewrite is for the next one');
  t.like(fake.rewrites[1], { authors: [{ remoteName: 'hubot', ...names }, { remoteName: 'moon' }] });
  const reopen = fake.hold('push');
  t.is((await json('PATCH', `${importPath}/authors/2`, { token, body: { name: 'Moon' } }))[0], 200);
  await until('pushing', token);
  await json('PATCH', `${importPath}/authors/2`, { token, body: { email: 'moon@example.com' } });
  reopen();
  await until('complete', token);
  t.like(fake.rewrites.at(-1)?.authors?.[1], { name: 'Moon', email: 'moon@example.com' });
  const { length } = fake.rewrites;
  await json('PATCH', `${importPath}/authors/2`, { token, body: { name: 'Moon' } });
  t.deepEqual([(await until('complete', token)).status, fake.rewrites.length], ['complete', length]);
  for (const [author, body, code, field] of [
    ['3', { name: 'x' }, 404, undefined],
    ['zero', { name: 'x' }, 404, undefined],
    ['1', { name: 7 }, 422, 'name'],
    ['1', { name: 'a\nb' }, 422, 'name'],
    ['1', { name: ' ' }, 422, 'name'],
    ['1', { email: 'hubot' }, 422, 'email'],
    ['1', { email: 'a@b>' }, 422, 'email'],
    ['1', { login: 'x' }, 422, 'login'],
  ] as const) {
    const [status, answer] = await json('PATCH', `${importPath}/authors/${author}`, { token, body });
    t.is(status, code, JSON.stringify(body));
    if (field !== undefined) t.like(answer, { errors: { 0: { field, resource: 'CommitAuthor' } } });
  }
});

test('large files are listed, and the choice about them takes effect at any time', async (t) => {
  const { fake, json, until, token: tokenFor } = await importHarness(t);
  const token = await tokenFor('octavia');
  t.is((await json('GET', `${importPath}/large_files`, { token }))[0], 404);
  fake.largeFiles = [
    { refName: 'refs/heads/main', path: 'video.mp4', oid: 'a'.repeat(40), size: 1_000_000_000 },
    { refName: 'refs/heads/main', path: 'disk.iso', oid: 'b'.repeat(40), size: 500_000_000 },
  ];
  await json('PUT', importPath, { token, body: { vcs_url, vcs: 'mercurial' } });
  const complete = await until('complete', token);
  t.like(complete, { has_large_files: true, large_files_size: 1.5, large_files_count: 2, use_lfs: 'undecided' });
  t.like(fake.rewrites[0], { largeFiles: 'keep' });
  const [, files] = await json('GET', `${importPath}/large_files`, { token });
  t.like(files, [
    { ref_name: 'refs/heads/main', path: 'video.mp4', oid: 'a'.repeat(40), size: 1_000_000_000 },
    { path: 'disk.iso' },
  ] as never);
  const [code, chosen] = await json('PATCH', `${importPath}/lfs`, { token, body: { use_lfs: 'opt_in' } });
  t.like([code, chosen], { 0: 200, 1: { use_lfs: 'opt_in', status: 'mapping' } });
  await until('complete', token);
  t.like(fake.rewrites[1], { largeFiles: 'lfs' });
  await json('PATCH', `${importPath}/lfs`, { token, body: { use_lfs: 'opt_out' } });
  await until('complete', token);
  t.like(fake.rewrites[2], { largeFiles: 'remove' });
  for (const body of [{}, { use_lfs: 'perhaps' }, { use_lfs: true }, { use_lfs: 'opt_in', now: 1 }]) {
    t.is((await json('PATCH', `${importPath}/lfs`, { token, body }))[0], 422, JSON.stringify(body));
  }
});

test('an import is cancelled in any status, even if its programs do not exit, and leaves no files', async (t) => {
  const { fake, json, until, token: tokenFor, engine } = await importHarness(t);
  const token = await tokenFor('octavia');
  for (const [step, status] of [
    ['detect', 'detecting'],
    ['convert', 'importing'],
    ['rewrite', 'mapping'],
    ['push', 'pushing'],
  ] as const) {
    fake.ignoresAborts = step === 'convert';
    const open = fake.hold(step);
    const [code] = await json('PUT', importPath, { token, body: { vcs_url } });
    t.is(code, 201);
    await until(status, token);
    t.is((await json('DELETE', importPath, { token }))[0], 204);
    t.is((await json('GET', importPath, { token }))[0], 404);
    open();
  }
  await eventually('an empty directory', async () => {
    const directory = join(engine.directory, 'data/plugins/source-import/imports');
    return (await readdir(directory)).length === 0;
  });
});

test('concurrent imports are limited, and queued ones say that they wait', async (t) => {
  const {
    fake,
    json,
    until,
    command,
    token: tokenFor,
  } = await importHarness(t, { config: { maxConcurrent: 1, maxWaiting: 2 } });
  const token = await tokenFor('octavia');
  for (const name of ['b', 'c', 'd']) await command('repository', 'create', `octavia/${name}`);
  const open = fake.hold('convert');
  const start = (name: string) =>
    json('PUT', `/repos/octavia/${name}/import`, { token, body: { vcs_url, vcs: 'git' } });
  await start('tools');
  t.like(await start('b'), {
    0: 201,
    1: { status: 'importing', status_text: 'Waiting for other imports to finish...' },
  });
  t.is((await start('c'))[0], 201);
  t.is((await start('d'))[0], 503);
  open();
  await until('complete', token);
  await eventually(
    'the others',
    async () => (await json('GET', '/repos/octavia/c/import', { token }))[1].status === 'complete',
  );
  t.is(fake.maxConcurrent, 1);
});
