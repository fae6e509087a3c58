import test from 'ava';
import { importEndpoints, importHarness, importPath } from './testing/harness.js';

const vcs_url = 'https://source.example/octavia/tools';

test('a repository is 404 without read access, and 403 without the right to manage it', async (t) => {
  const { json, token: tokenFor, command } = await importHarness(t);
  const [octavia, robin, narrow] = [
    await tokenFor('octavia'),
    await tokenFor('robin'),
    await tokenFor('octavia', 'notifications'),
  ];
  await command('repository', 'create', 'octavia/open', '--public');
  await command('repository', 'create', 'band/songs', '--maintainers', 'Robin');
  const get = async (path: string, token?: string) =>
    (await json('GET', path, token === undefined ? {} : { token }))[0];
  t.is(await get(importPath), 401);
  t.is(await get(importPath, narrow), 403, 'the scope is repo');
  t.is(await get(importPath, robin), 404);
  t.is(await get('/repos/octavia/open/import', robin), 403);
  t.is(await get('/repos/octavia/open', robin), 200);
  t.is(await get('/repos/octavia/nothing/import', octavia), 404);
  t.is((await json('PUT', '/repos/octavia/nothing/import', { token: octavia, body: { vcs_url } }))[0], 404);
  t.is((await json('PUT', '/repos/band/songs/import', { token: robin, body: { vcs_url } }))[0], 201);
  for (const [method, path] of [
    ['GET', importPath],
    ['PATCH', importPath],
    ['DELETE', importPath],
    ['GET', `${importPath}/authors`],
    ['PATCH', `${importPath}/authors/1`],
    ['GET', `${importPath}/large_files`],
  ] as const) {
    t.is((await json(method, path, { token: octavia }))[0], 404, `${method} ${path} without an import`);
  }
});

test('invalid imports are refused, naming field and value', async (t) => {
  const { json, token: tokenFor } = await importHarness(t, {
    config: { allowDestinations: ['10.1.0.0/16', 'fd00::/8'] },
  });
  const token = await tokenFor('octavia');
  const put = (body: unknown) => json('PUT', importPath, { token, body });
  for (const [body, field, words] of [
    [{}, 'vcs_url', undefined],
    [{ vcs_url: 7 }, 'vcs_url', /^7 is not a string/],
    [{ vcs_url: 'tools' }, 'vcs_url', /not an address/],
    [{ vcs_url: 'file:///etc' }, 'vcs_url', /"file:" is none of/],
    [{ vcs_url: 'ext::sh -c x' }, 'vcs_url', /"ext:" is none of/],
    [{ vcs_url: 'http://127.0.0.1/x' }, 'vcs_url', /no address of the Internet/],
    [{ vcs_url: 'http://2130706433/x' }, 'vcs_url', /127\.0\.0\.1 is no address of the Internet/],
    [{ vcs_url: 'http://localhost:80/x' }, 'vcs_url', /localhost is no address/],
    [{ vcs_url: 'http://[::1]/x' }, 'vcs_url', /::1 is no address/],
    [{ vcs_url: 'http://10.2.0.1/x' }, 'vcs_url', /10\.2\.0\.1/],
    [{ vcs_url, vcs: 'cvs' }, 'vcs', /"cvs" is not one of git, mercurial, subversion, tfvc/],
    [{ vcs_url, vcs_username: ['a'] }, 'vcs_username', undefined],
    [{ vcs_url, tfvc_project: '' }, 'tfvc_project', undefined],
    [{ vcs_url, url: 'x' }, 'url', /"x" is for a field that is not there/],
  ] as const) {
    const [status, answer] = await put(body);
    t.is(status, 422, JSON.stringify(body));
    const [error] = answer.errors as { field: string; message?: string }[];
    t.is(error?.field, field);
    if (words !== undefined) t.regex(error?.message ?? '', words);
  }
  const [, secret] = await put({ vcs_url, vcs_password: 'hunter2\n' });
  t.false(JSON.stringify(secret).includes('hunter2'), 'a password is not disclosed, not even to its owner');
  t.is((await put('{'))[0], 400);
  t.is((await put({ vcs_url: 'http://10.1.2.3/x' }))[0], 201, 'a network that is allowed');
});

test('an import into a repository with workflows is refused', async (t) => {
  const { json, command, token: tokenFor } = await importHarness(t);
  const token = await tokenFor('octavia');
  t.regex(await command('repository', 'workflows', 'Octavia/Tools', 'on'), /octavia\/tools +true +true/);
  const refused = await json('PUT', importPath, { token, body: { vcs_url } });
  t.like(refused, { 0: 422, 1: { errors: { 0: { field: 'workflows', code: 'unprocessable' } } } });
  await command('repository', 'workflows', 'octavia/tools', 'off');
  t.is((await json('PUT', importPath, { token, body: { vcs_url } }))[0], 201);
});

test('during maintenance the import endpoints answer 503, also after a restart', async (t) => {
  const { ask, json, command, engine, token: tokenFor } = await importHarness(t);
  const token = await tokenFor('octavia');
  t.is(await command('maintenance', 'on'), 'on');
  await engine.restart();
  for (const [method, path] of importEndpoints) {
    const answer = await ask(method, path, { token });
    t.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '300'], `${method} ${path}`);
  }
  t.is((await json('GET', '/repos/octavia/tools', { token }))[0], 200, 'repositories are there');
  t.is(await command('maintenance', 'off'), 'off');
  t.is((await json('GET', importPath, { token }))[0], 404);
});

test('repositories are created, listed and deleted', async (t) => {
  const { json, command, token: tokenFor } = await importHarness(t);
  const token = await tokenFor('octavia');
  const [code, made] = await json('POST', '/user/repos', { token, body: { name: 'new', private: false } });
  t.like([code, made], { 0: 201, 1: { full_name: 'octavia/new', private: false, owner: { login: 'octavia' } } });
  t.regex(String(made.clone_url), /\/octavia\/new\.git$/);
  const taken = await json('POST', '/user/repos', { token, body: { name: 'NEW' } });
  t.like(taken, { 0: 422, 1: { errors: { 0: { field: 'name', code: 'already_exists' } } } });
  for (const name of ['a b', '..', 'x.git', '', undefined]) {
    t.is((await json('POST', '/user/repos', { token, body: { name } }))[0], 422, name);
  }
  const [, listed] = await json('GET', '/user/repos?per_page=1&page=2', { token });
  t.like(listed, [{ full_name: 'octavia/new' }] as never);
  await json('PUT', '/repos/octavia/new/import', { token, body: { vcs_url } });
  t.regex(await command('import', 'list'), /octavia\/new/);
  const [, imports] = await json('GET', '/user/imports', { token });
  t.like(imports, [{ full_name: 'octavia/new' }] as never);
  t.is((await json('DELETE', '/repos/octavia/new', { token }))[0], 204);
  t.is((await json('GET', '/repos/octavia/new', { token }))[0], 404);
  t.deepEqual((await json('GET', '/user/imports', { token }))[1], [] as never);
  await t.throwsAsync(command('repository', 'create', 'octavia'), { message: /is no name such as/ });
  await t.throwsAsync(command('maintenance', 'maybe'), { message: /is no command/ });
});

test('an import fails when the disk is nearly full, and concurrent readers are limited', async (t) => {
  const {
    ask,
    json,
    token: tokenFor,
    fake,
    until,
  } = await importHarness(t, {
    config: { minFreeBytes: Number.MAX_SAFE_INTEGER, maxReaders: 1 },
  });
  const token = await tokenFor('octavia');
  fake.hold('detect');
  await json('PUT', importPath, { token, body: { vcs_url } });
  t.regex(String((await until('error', token)).error_message), /bytes are free on the disk/);
  const refs = () => ask('GET', '/octavia/tools.git/info/refs?service=git-upload-pack', { token });
  const statuses = (await Promise.all([refs(), refs(), refs()])).map(({ status }) => status);
  t.deepEqual(new Set(statuses), new Set([200, 503]));
  t.is((await refs()).status, 200);
});

test('git clients need read access, and cannot push', async (t) => {
  const { ask, json, token: tokenFor } = await importHarness(t);
  const [octavia, robin] = [await tokenFor('octavia'), await tokenFor('robin')];
  const refs = '/octavia/tools.git/info/refs';
  const statusOf = async (path: string, token?: string) =>
    (await ask('GET', path, token === undefined ? {} : { token })).status;
  t.is(await statusOf(`${refs}?service=git-upload-pack`), 401);
  t.is(await statusOf(`${refs}?service=git-upload-pack`, robin), 404);
  t.is(await statusOf(`${refs}?service=git-receive-pack`, octavia), 403);
  t.is(await statusOf(refs, octavia), 403);
  const batch = (token: string, body: object) =>
    json('POST', '/octavia/tools.git/info/lfs/objects/batch', { token, body });
  const objects = [
    { oid: 'a'.repeat(64), size: 1 },
    { oid: '../x', size: 1 },
  ];
  t.is((await batch(robin, { operation: 'download', objects }))[0], 404);
  t.is((await batch(octavia, { operation: 'upload', objects }))[0], 403);
  const [, missing] = await batch(octavia, { operation: 'download', objects });
  t.like(missing, { objects: { 0: { error: { code: 404 } }, 1: { error: { code: 404 } } } });
  t.is(await statusOf(`/octavia/tools.git/info/lfs/objects/${'a'.repeat(64)}`, octavia), 404);
});
