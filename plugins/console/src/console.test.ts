import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import engineApi from '@gantry/engine-api';
import { eventually, startEngine } from '@gantry/test-engine';
import test from 'ava';
import { WebSocket } from 'ws';
import { withoutSecrets } from './settings-routes.js';
import { changedTasks, listed } from './testing/area.js';
import { startConsole } from './testing/start-console.js';

test('the files of the pages are served to anyone, the engine to no one', async (t) => {
  const { ask } = await startConsole(t);
  const page = await ask('GET', '/');
  t.is(page.status, 200);
  t.regex(String(page.headers['content-security-policy']), /script-src 'self' 'sha256-[^ ]+'; .*style-src 'self';/);
  t.is((await ask('GET', '/', { headers: { 'If-None-Match': String(page.headers.etag) } })).status, 304);
  t.is(page.headers['cache-control'], 'no-cache');
  for (const path of [
    '/api/info',
    '/stream/events',
    '/about',
    '/settings',
    '/hosted',
    '/terminal/exec/x',
    '/session',
  ]) {
    t.is((await ask('GET', path)).status, 401, path);
  }
});

test('the document of a browser that is signed in has the list of containers, as text and as data', async (t) => {
  const { ask, signIn } = await startConsole(t);
  const { status, headers, body } = await ask('GET', '/', { headers: { Cookie: await signIn() } });
  t.is(status, 200);
  t.is(headers['cache-control'], 'no-store');
  const [, nonce] = /style-src 'self' 'nonce-([^']+)';/.exec(String(headers['content-security-policy'])) ?? [];
  t.true(body.includes(`<style nonce="${nonce}">.first-0{`));
  t.regex(body, /<h1><bdi [^>]*>Containers<\/bdi><\/h1>/);
  t.regex(body, /aria-rowcount="2"/);
  t.regex(body, /&lt;\/script>&lt;script>alert\(1\)/);
  t.notRegex(body, /<[^>]+ style=/, 'which the policy would not allow');
  t.deepEqual(
    [...body.matchAll(/<script[^>]*>(?=[^<])/g)].map(([tag]) => tag),
    ['<script>', '<script type="application/json" id="first-screen">'],
  );
  const data = JSON.parse(/id="first-screen">([^<]*)<\/script>/.exec(body)?.[1] ?? '') as {
    readonly user: string;
    readonly containers: readonly object[];
  };
  t.is(data.user, 'operator');
  const { Command, Mounts, ...shown } = listed;
  t.deepEqual(data.containers, [shown], 'what the list shows');
  t.is((await ask('HEAD', '/', { headers: { Cookie: await signIn() } })).status, 200);
});

test('the list is left to the pages when an access list refuses it', async (t) => {
  const { ask, signIn } = await startConsole(t, { allow: ['GET /info'] });
  const { body } = await ask('GET', '/', { headers: { Cookie: await signIn() } });
  t.regex(body, /<body><script type="application\/json" id="first-screen">\{"user":"operator","since":\d+\}<\/script>/);
});

test('files whose names change with their content are kept by browsers, and compressed', async (t) => {
  const { ask } = await startConsole(t);
  const { body, headers } = await ask('GET', '/');
  t.notRegex(body, /\{\{/, 'every placeholder is replaced');
  const inline = [...body.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  t.is(inline.length, 1);
  const digest = createHash('sha256').update(String(inline)).digest('base64');
  t.true(String(headers['content-security-policy']).includes(`script-src 'self' 'sha256-${digest}';`));
  const files = [...body.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, name]) => `/${name}`);
  t.is(files.length, 4);
  for (const file of files) {
    const { status, headers } = await ask('GET', file, { headers: { 'Accept-Encoding': 'gzip, br' } });
    t.like(
      [status, headers],
      [
        200,
        { 'cache-control': 'public, max-age=31536000, immutable', 'content-encoding': 'gzip', vary: 'Accept-Encoding' },
      ],
    );
    t.is((await ask('GET', file)).headers['content-encoding'], undefined);
  }
});

test('all scripts together are at most 200 KiB when they are compressed', async (t) => {
  const assets = fileURLToPath(new URL('../web/dist/assets/', import.meta.url));
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js.gz'));
  const sizes = await Promise.all(scripts.map(async (name) => (await stat(join(assets, name))).size));
  t.true(sizes.length >= 3);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  t.true(total <= 200 * 1024, `${total} bytes`);
});

test('a token signs one browser in, once, until it signs out', async (t) => {
  const { ask, token, url } = await startConsole(t);
  const origin = { Origin: url };
  t.is((await ask('POST', '/session', { body: '{"token":"wrong"}', headers: origin })).status, 401);
  const body = JSON.stringify({ token: await token() });
  const signedIn = await ask('POST', '/session', { body, headers: origin });
  t.is(signedIn.status, 200);
  const cookie = String(signedIn.headers['set-cookie']);
  t.regex(cookie, /; httponly/i);
  t.regex(cookie, /; samesite=strict/i);
  t.is((await ask('POST', '/session', { body, headers: origin })).status, 401, 'it is used up');
  const Cookie = cookie.split(';')[0] ?? '';
  t.like(JSON.parse((await ask('GET', '/session', { headers: { Cookie } })).body), { user: 'operator' });
  t.like(JSON.parse((await ask('GET', '/about', { headers: { Cookie } })).body), { apiVersion: '1.51' });
  t.is((await ask('GET', '/hosted', { headers: { Cookie } })).status, 404);
  t.is((await ask('DELETE', '/session', { headers: { Cookie, ...origin } })).status, 204);
  t.is((await ask('GET', '/api/info', { headers: { Cookie } })).status, 401);
});

test('requests, bodies, streams and errors pass as the engine has them', async (t) => {
  const { ask, signIn, url } = await startConsole(t);
  const headers = { Cookie: await signIn(), Origin: url };
  t.deepEqual(JSON.parse((await ask('GET', '/api/info?a=%20b', { headers })).body), { query: 'a=%20b', cookie: '' });
  const stat = await ask('HEAD', '/api/containers/x/archive', { headers });
  t.is(stat.headers['x-docker-container-path-stat'], 'e30=');
  t.is((await ask('DELETE', '/api/containers/x', { headers })).status, 204);
  const archive = 'a'.repeat(3_000_000);
  t.deepEqual(JSON.parse((await ask('PUT', '/api/containers/x/archive', { headers, body: archive })).body), {
    size: 3_000_000,
  });
  t.is((await ask('GET', '/api/events', { headers })).body, '{"first":1}\n');
  const missing = await ask('GET', '/api/nothing', { headers });
  t.deepEqual([missing.status, JSON.parse(missing.body)], [404, { message: 'page not found' }]);
});

test('what goes on is a stream of messages, of which only some are sent ahead of what was read', async (t) => {
  const { signIn, url } = await startConsole(t);
  const headers = { Cookie: await signIn(), Origin: url };
  const open = (path: string) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/stream${path}`, { headers });
    t.teardown(() => socket.terminate());
    const messages: string[] = [];
    socket.on('message', (data) => messages.push(String(data)));
    return { socket, messages, closed: new Promise<number>((resolve) => socket.once('close', resolve)) };
  };
  const foreign = new WebSocket(`${url.replace('http', 'ws')}/stream/events`, {
    headers: { ...headers, Origin: 'http://evil.example' },
  });
  await t.throwsAsync(new Promise((_, reject) => foreign.once('error', reject)), { message: /403/ });
  const missing = open('/nothing');
  t.is(await missing.closed, 1000);
  t.deepEqual(missing.messages, ['{"status":404,"message":"page not found"}']);

  const swarm = new WebSocket(`${url.replace('http', 'ws')}/changes/swarm`, { headers });
  t.teardown(() => swarm.terminate());
  t.is(String(await new Promise((resolve) => swarm.once('message', resolve))), '{"status":200}');

  const tasks = new WebSocket(`${url.replace('http', 'ws')}/changes/tasks`, { headers });
  t.teardown(() => tasks.terminate());
  const heard: string[] = [];
  tasks.on('message', (data) => heard.push(String(data)));
  await eventually('the console follows the tasks', () => heard.length === 1);
  for (let change = 0; change < 1_000; change++) changedTasks.emit('change');
  await eventually('what changed first, and what changed meanwhile', () => heard.length === 3);
  t.deepEqual(heard, ['{"status":200}', 'changed', 'changed']);
  tasks.close();
  await eventually('the listener is removed', () => changedTasks.listenerCount('change') === 0);

  // Browsers open the next WebSocket only then.
  const statistics = open('/containers/x/stats');
  await once(statistics.socket, 'open');
  statistics.socket.close();
  await statistics.closed;
  t.deepEqual(statistics.messages, []);

  const events = open('/events');
  await eventually('an event', () => events.messages.length === 2);
  t.deepEqual(events.messages, ['{"status":200}', '{"first":1}\n']);
  events.socket.close();
  await events.closed;

  const log = open('/containers/x/logs?follow=true');
  await eventually('messages', () => log.messages.length > 10);
  const stops = async () => {
    const { length } = log.messages;
    await delay(100);
    return log.messages.length === length;
  };
  await eventually('the console waits', stops);
  const { length } = log.messages;
  t.true(length < 100, 'of a log of 10,000 pieces');
  log.socket.on('message', () => log.socket.send('r'));
  log.socket.send('r'.repeat(length));
  t.is(await log.closed, 1000);
  t.is(log.messages.slice(1).join('').length, 10_000 * 1_000);
});

test('pages of other sites, and names that are not its own, are refused', async (t) => {
  const { ask, signIn, url } = await startConsole(t, { names: ['console.example'] });
  const Cookie = await signIn();
  const post = (headers: Record<string, string>) =>
    ask('DELETE', '/api/containers/x', { headers: { Cookie, ...headers } });
  t.is((await post({ Origin: 'http://evil.example' })).status, 403);
  t.is((await post({})).status, 403, 'every browser names the page of a request that changes something');
  t.is((await post({ Origin: 'null' })).status, 403);
  const rebound = await ask('GET', '/api/info', { headers: { Cookie, Host: 'evil.example' } });
  t.is(rebound.status, 403);
  t.regex(rebound.body, /"evil\.example\\" is not a name of this console/);
  t.is((await post({ Origin: url })).status, 204);
  t.is((await post({ Origin: 'https://console.example', Host: 'console.example' })).status, 401, 'another cookie');
});

test('the configuration is shown with its defaults, and without secrets', async (t) => {
  const { ask, signIn } = await startConsole(t, { sessionHours: 3 });
  const { body } = await ask('GET', '/settings', { headers: { Cookie: await signIn() } });
  const { engine, packages } = JSON.parse(body) as { engine: object; packages: Record<string, object> };
  t.like(engine, { logLevel: 'info', stopTimeoutSeconds: 15 });
  t.like(packages.console, { host: 'tcp://127.0.0.1:0', sessionHours: 3, names: [] });
  t.deepEqual(
    withoutSecrets({ splunk: { 'splunk-token': 'abc', url: 'x' }, secretFile: '/s', password: '', keys: ['a'] }),
    {
      splunk: { 'splunk-token': '(hidden)', url: 'x' },
      secretFile: '/s',
      password: '',
      keys: ['a'],
    },
  );
});

test('an access list holds for the console as for anyone', async (t) => {
  const { ask, signIn, url } = await startConsole(t, { allow: ['read'] });
  const headers = { Cookie: await signIn(), Origin: url };
  t.is((await ask('GET', '/api/info', { headers })).status, 200);
  const refused = await ask('DELETE', '/api/containers/x', { headers });
  t.is(refused.status, 403);
  t.regex(refused.body, /DELETE \/containers\/x is not allowed/);
});

test('behind a proxy the user is whom its header names', async (t) => {
  const directory = (await startEngine(t, [engineApi])).directory;
  const { ask } = await startConsole(t, {
    host: `unix://${join(directory, 'console.sock')}`,
    userHeader: 'X-Remote-User',
  });
  t.is((await ask('GET', '/api/info')).status, 401);
  const { body } = await ask('GET', '/session', { headers: { 'X-Remote-User': 'ada' } });
  t.deepEqual(JSON.parse(body), { user: 'ada', expires: null });
});

test('settings that would let anyone in are refused by name', async (t) => {
  const settings = [
    [{ userHeader: 'X-Remote-User' }, /userHeader: anyone who reaches tcp:\/\/127\.0\.0\.1:0 could send/],
    [{ host: 'tcp://0.0.0.0:1' }, /host: tokens sent to tcp:\/\/0\.0\.0\.0:1 could be read/],
    [{ host: 'http://localhost:1' }, /host: "http:\/\/localhost:1" is neither/],
    [{ allow: ['everything'] }, /allow: "everything" is neither/],
  ] as const;
  for (const [setting, message] of settings) await t.throwsAsync(startConsole(t, setting), { message });
});

test('a terminal is a WebSocket of the console, and output without one is not multiplexed', async (t) => {
  const { signIn, url } = await startConsole(t);
  const Cookie = await signIn();
  const open = (path: string, headers: Record<string, string>) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers });
    t.teardown(() => socket.terminate());
    return socket;
  };
  const message = (socket: WebSocket): Promise<string> =>
    new Promise((resolve, reject) => {
      socket.once('message', (data) => resolve(String(data))).once('error', reject);
    });
  const program = open('/terminal/exec/shell?h=24&w=80', { Cookie, Origin: url });
  program.once('open', () => program.send(Buffer.from('ls')));
  t.is(await message(program), 'shell got ls');
  const attached = open('/terminal/attach/x', { Cookie, Origin: url });
  let output = '';
  attached.on('message', (data) => {
    output += String(data);
  });
  await new Promise((resolve) => attached.once('close', resolve));
  t.is(output, 'out err');
  const foreign = open('/terminal/exec/shell', { Cookie, Origin: 'http://evil.example' });
  await t.throwsAsync(message(foreign), { message: /403/ });
});
