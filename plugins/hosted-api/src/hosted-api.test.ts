import { stat } from 'node:fs/promises';
import { sendJson } from '@gantry/core/http';
import test from 'ava';
import {
  bodyParameters,
  HostedAccounts,
  HostedError,
  HostedListeners,
  type HostedRouter,
  isUnchanged,
} from './service.js';
import { startHostedApi } from './testing/start-hosted-api.js';

const hello = (router: HostedRouter) => {
  router.get('/hello', (ctx, { account }) => {
    if (isUnchanged(ctx, { etag: '"one"' })) ctx.status = 304;
    else sendJson(ctx, { login: account.login });
  });
  router.put('/hello', async (ctx) =>
    sendJson(ctx, { flag: (await bodyParameters(ctx, 'Hello')).only('flag').boolean('flag') }),
  );
  router.get('/broken', () => {
    throw new Error('an internal detail');
  });
};

const tokenArguments = (scopes: string, user = 'octavia') => ['token', 'create', '--user', user, '--scopes', scopes];

test('a token is admitted by its scopes, other routes are forbidden', async (t) => {
  const { ask, command } = await startHostedApi(t, { declare: hello });
  const token = await command(...tokenArguments('notifications'));
  const answer = await ask('GET', '/hello', { token });
  t.is(answer.status, 200);
  t.deepEqual(await answer.json(), { login: 'octavia' });
  t.is(answer.headers.get('x-oauth-scopes'), 'notifications');
  t.is(answer.headers.get('x-host-api-version-selected'), '2022-11-28');
  const older = await ask('GET', '/hello', { headers: { Authorization: `token ${token}` } });
  t.is(older.status, 200, 'the form of older clients');
  const feeder = await command(...tokenArguments('ingest', 'feeder'));
  const refused = await ask('GET', '/hello', { token: feeder });
  t.is(refused.status, 403);
  t.is(refused.headers.get('x-accepted-oauth-scopes'), 'notifications, repo');
});

test('users who have signed in to a page see what it links to', async (t) => {
  const { ask, token } = await startHostedApi(t, {
    declare: (_router, api) => {
      api.addLink({ title: 'Engine', url: 'http://127.0.0.1:7430/' });
      const remove = api.addLink({ title: 'Gone', url: 'http://127.0.0.1:1/' });
      remove();
    },
  });
  t.is((await ask('GET', '/pages/links')).status, 401);
  const answer = await ask('GET', '/pages/links', { token: await token('octavia') });
  t.deepEqual(await answer.json(), [{ title: 'Engine', url: 'http://127.0.0.1:7430/' }]);
});

test('a route can accept the token as a password, and refuse requests before authentication', async (t) => {
  let closed = false;
  const precondition = () => {
    if (closed) throw new HostedError(410, 'It has gone');
  };
  const access = { scopes: ['repo'] as const, basic: true, precondition };
  const { ask, command } = await startHostedApi(t, { declare: hello, access, config: { anonymousRequestsPerHour: 2 } });
  const token = await command(...tokenArguments('repo'));
  const basic = (text: string) => ({ headers: { Authorization: `Basic ${Buffer.from(text).toString('base64')}` } });
  t.is((await ask('GET', '/hello', basic(`any-user:${token}`))).status, 200);
  t.is((await ask('GET', '/hello', { token })).status, 200);
  for (let count = 0; count < 5; count++) t.is((await ask('GET', '/hello')).status, 401, 'a challenge is not counted');
  const refused = await ask('GET', '/hello', basic('octavia:wrong'));
  t.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, 'Basic realm="Gantry"']);
  closed = true;
  const gone = await ask('GET', '/hello');
  t.deepEqual([gone.status, await gone.json()], [410, { message: 'It has gone', status: '410' }]);
});

test('a missing, wrong, revoked or expired token is refused with 401', async (t) => {
  const { ask, command, engine } = await startHostedApi(t, { declare: hello });
  const none = await ask('GET', '/hello');
  t.is(none.status, 401);
  t.deepEqual(await none.json(), { message: 'Requires authentication', status: '401' });
  const wrong = await ask('GET', '/hello', { token: 'ght_wrong' });
  t.deepEqual(await wrong.json(), { message: 'Bad credentials', status: '401' });
  t.is((await ask('GET', '/hello', { headers: { Authorization: 'Basic b2N0YXZpYTp4' } })).status, 401);
  const token = await command(...tokenArguments('repo'));
  t.is((await ask('GET', '/hello', { token })).status, 200);
  t.regex(await command('token', 'list'), /octavia +repo/);
  t.is(await command('token', 'revoke', '1'), 'revoked');
  t.is((await ask('GET', '/hello', { token })).status, 401);
  const old = await command(...tokenArguments('repo'), '--expires-in-days', '0.0000001');
  await new Promise((resolve) => setTimeout(resolve, 20));
  t.is((await ask('GET', '/hello', { token: old })).status, 401);
  t.is((await stat(engine.kernel.service(HostedListeners).operatorSocket)).mode & 0o777, 0o600);
});

test('the command reports invalid arguments', async (t) => {
  const { command } = await startHostedApi(t);
  await t.throwsAsync(command(...tokenArguments('everything')), {
    message: /scopes: \["everything"\] is not a list of/,
  });
  await t.throwsAsync(command(...tokenArguments('repo', 'no login')), { message: /login: "no login" is not a login/ });
  await t.throwsAsync(command('token', 'create', '--scopes', 'repo'), { message: /user: missing_field/ });
  await t.throwsAsync(command('token', 'revoke', '7'), { message: /Not Found/ });
  await t.throwsAsync(command('turn', 'around'), { message: /"turn around" is no command/ });
  t.regex(await command('user', 'add', 'Octavia'), /1 +Octavia/);
  t.regex(await command('user', 'add', 'octavia'), /1 +Octavia/, 'logins are case-insensitive');
});

test('the store contains only hashes of tokens', async (t) => {
  const { command, engine } = await startHostedApi(t);
  const token = await command(...tokenArguments('repo'));
  const { StateDrivers } = await import('@gantry/core/contracts');
  const { createHash } = await import('node:crypto');
  const records = engine.kernel
    .drivers(StateDrivers)
    .get()
    .collection({
      name: 'hosted-tokens',
      version: 1,
      parse: (value) => value,
    });
  const [entry] = [...records.entries()];
  t.is(entry?.[0], createHash('sha256').update(token).digest('hex'));
  t.false(JSON.stringify(entry).includes(token));
});

test('a 304 does not count; beyond the rate limit requests are refused with 403 and Retry-After', async (t) => {
  const { ask, command } = await startHostedApi(t, { declare: hello, config: { requestsPerHour: 3 } });
  const token = await command(...tokenArguments('repo'));
  const remaining = (answer: Response) => answer.headers.get('x-ratelimit-remaining');
  t.is(remaining(await ask('GET', '/hello', { token })), '2');
  const unchanged = await ask('GET', '/hello', { token, headers: { 'If-None-Match': 'W/"one"' } });
  t.deepEqual([unchanged.status, remaining(unchanged)], [304, '2']);
  await ask('GET', '/hello', { token });
  t.is(remaining(await ask('GET', '/hello', { token })), '0');
  const refused = await ask('GET', '/hello', { token });
  t.is(refused.status, 403);
  t.like(await refused.json(), { message: 'API rate limit exceeded' });
  const wait = Number(refused.headers.get('retry-after'));
  t.true(wait > 3500 && wait <= 3600);
  const reset = Number(refused.headers.get('x-ratelimit-reset'));
  t.true(Math.abs(reset - Date.now() / 1000 - wait) < 5);
  const limits = (await (await ask('GET', '/rate_limit', { token })).json()) as { rate: object };
  t.like(limits.rate, { limit: 3, remaining: 0, used: 3 }, 'asking for the limits is free');
});

test('too many requests in a minute are refused with 429, and later with 422 if the route says so', async (t) => {
  const { ask, command } = await startHostedApi(t, {
    declare: hello,
    access: { scopes: ['repo'], spamIsInvalid: true },
    config: { requestsPerMinute: 2 },
  });
  const token = await command(...tokenArguments('repo'));
  const statuses: number[] = [];
  for (let count = 0; count < 5; count++) statuses.push((await ask('GET', '/hello', { token })).status);
  t.deepEqual(statuses, [200, 200, 429, 429, 422]);
  const other = await command(...tokenArguments('repo', 'other'));
  const answer = await ask('GET', '/hello', { token: other });
  t.is(answer.status, 200, 'other users are unaffected');
});

test('requests without a valid token have a limit per address', async (t) => {
  const { ask, command } = await startHostedApi(t, { declare: hello, config: { anonymousRequestsPerHour: 2 } });
  const statuses: number[] = [];
  for (let count = 0; count < 3; count++) statuses.push((await ask('GET', '/hello', { token: `ght_${count}` })).status);
  t.deepEqual(statuses, [401, 401, 403]);
  const token = await command(...tokenArguments('repo'));
  t.is((await ask('GET', '/hello', { token })).status, 200);
});

test('an unsupported version is refused, naming the supported ones', async (t) => {
  const { ask, command } = await startHostedApi(t, { declare: hello });
  const token = await command(...tokenArguments('repo'));
  t.is((await ask('GET', '/hello', { token, headers: { 'X-Host-Api-Version': '2022-11-28' } })).status, 200);
  const answer = await ask('GET', '/hello', { token, headers: { 'X-Host-Api-Version': '2031-01-01' } });
  t.is(answer.status, 400);
  t.like(await answer.json(), {
    message: '"2031-01-01" is not a supported API version. Supported versions: 2022-11-28',
  });
});

test('errors have the body of this API, without internal details', async (t) => {
  const { ask, command } = await startHostedApi(t, { declare: hello });
  const token = await command(...tokenArguments('repo'));
  const bodyOf = async (method: string, path: string, body?: string) => {
    const answer = await ask(method, path, { token, ...(body !== undefined && { body }) });
    return [answer.status, await answer.json()];
  };
  t.deepEqual(await bodyOf('GET', '/nosuch'), [404, { message: 'Not Found', status: '404' }]);
  t.deepEqual(await bodyOf('GET', '/broken'), [500, { message: 'Server Error', status: '500' }]);
  t.deepEqual(await bodyOf('PUT', '/hello', '{'), [400, { message: 'Problems parsing JSON', status: '400' }]);
  t.deepEqual(await bodyOf('PUT', '/hello', '[]'), [400, { message: 'Body should be a JSON object', status: '400' }]);
  t.deepEqual(await bodyOf('PUT', '/hello', '{"flag":7}'), [
    422,
    {
      message: 'Validation Failed',
      errors: [{ resource: 'Hello', field: 'flag', code: 'invalid', message: '7 is not a boolean' }],
      status: '422',
    },
  ]);
  t.deepEqual(await bodyOf('PUT', '/hello', '{"flag":null}'), [200, {}]);
  const other = { resource: 'Hello', field: 'flags', code: 'invalid' };
  t.like(await bodyOf('PUT', '/hello', '{"flags":1}'), { 0: 422, 1: { errors: { 0: other } } });
});

test('URLs in responses have the base that the client used, including a prefix', async (t) => {
  const { ask, command, url } = await startHostedApi(t);
  const token = await command(...tokenArguments('repo'));
  const user = async (path: string) => (await (await ask('GET', path, { token })).json()) as { url: string };
  t.is((await user('/user')).url, `${url}/users/octavia`);
  t.is((await user('/api/v3/user')).url, `${url}/api/v3/users/octavia`);
});

test('users and tokens survive a restart', async (t) => {
  const { command, engine } = await startHostedApi(t);
  await command(...tokenArguments('repo'));
  await engine.restart();
  t.is(engine.kernel.service(HostedAccounts).find('OCTAVIA')?.id, 1);
  t.regex(await command(...tokenArguments('repo', 'second')), /^ght_/);
  t.is(engine.kernel.service(HostedAccounts).find('second')?.id, 2);
});
