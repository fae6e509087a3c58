import { mkdtemp, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { definePlugin } from '@gantry/core';
import { acceptWebSocket, sendJson } from '@gantry/core/http';
import { inject, injectable } from '@gantry/core/plugin';
import { startEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import { parseAccessList } from './access-list.js';
import { defaultMaxConnections } from './default-max-connections.js';
import engineApi from './index.js';
import { EngineApi } from './service.js';

/** Routes with the paths of real ones, each with a response of its own. */
@injectable()
class AreaRoutes {
  constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

  async start(): Promise<void> {
    this.api.routes('area', (router) => {
      router.get('/_ping', (ctx) => sendJson(ctx, 'OK'));
      router.get('/info', (ctx) => sendJson(ctx, { info: true }));
      router.get('/containers/:id/json', (ctx) => sendJson(ctx, { Id: ctx.params.id }));
      router.get('/images/*name/json', (ctx) => sendJson(ctx, { Name: ctx.params.name }));
      router.get('/plugins/*name', (ctx) => sendJson(ctx, { Plugin: ctx.params.name }));
      router.get('/containers/:id/archive', (ctx) => sendJson(ctx, { archive: true }));
      router.get('/containers/:id/attach/ws', async (ctx) => void (await acceptWebSocket(ctx)));
      router.post('/containers/:id/restart', (ctx) => sendJson(ctx, { restarted: ctx.params.id }));
    });
  }
}

const area = definePlugin({
  id: 'area',
  requires: [EngineApi],
  configSchema: Type.Object({}),
  setup: () => AreaRoutes,
});

type Ask = (method: string, path: string, headers?: Record<string, string>) => Promise<[number, string, string?]>;

const asks =
  (where: { socketPath: string } | { host: string; port: number }): Ask =>
  (method, path, headers = {}) =>
    new Promise((resolve, reject) => {
      const asked = request({ ...where, method, path, headers, agent: false }, async (response) => {
        const origin = response.headers['access-control-allow-origin'];
        const answer: [number, string] = [response.statusCode ?? 0, (await text(response)).trim()];
        resolve(origin === undefined ? answer : [...answer, origin]);
      });
      asked.on('error', reject).on('upgrade', (_response, socket) => {
        socket.destroy();
        resolve([101, '']);
      });
      asked.end();
    });

async function start(t: ExecutionContext, config: (directory: string) => object) {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-access-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const engine = await startEngine(t, [engineApi, area], { plugins: { 'engine-api': config(directory) } });
  const { addresses } = engine.kernel.service(EngineApi);
  return { directory, addresses, at: (name: string) => asks({ socketPath: join(directory, name) }) };
}

test('a socket of its own allows what its list says, for whom its mode says', async (t) => {
  const { at, directory } = await start(t, (directory) => ({
    hosts: [`unix://${directory}/all.sock`],
    group: '0',
    listeners: [
      { host: `unix://${directory}/read.sock`, mode: '666', allow: ['read'] },
      { host: `unix://${directory}/ci.sock`, allow: ['POST /containers/ci-*/restart', 'GET|DELETE /images/**'] },
    ],
  }));
  t.is((await stat(join(directory, 'all.sock'))).mode & 0o777, 0o660);
  t.is((await stat(join(directory, 'read.sock'))).mode & 0o777, 0o666);
  const [all, read, ci] = [at('all.sock'), at('read.sock'), at('ci.sock')];

  t.deepEqual(await all('POST', '/containers/web/restart'), [200, '{"restarted":"web"}']);
  t.deepEqual(await read('GET', '/v1.51/containers/web/json'), [200, '{"Id":"web"}']);
  t.is((await read('HEAD', '/info'))[0], 200);
  t.deepEqual(await read('GET', '/images/registry.example/a/b/json'), [200, '{"Name":"registry.example/a/b"}']);
  t.deepEqual(await read('GET', '/plugins/registry.example/a/b:1'), [200, '{"Plugin":"registry.example/a/b:1"}']);
  t.deepEqual(await read('POST', '/v1.51/containers/web/restart'), [
    403,
    '{"message":"POST /containers/web/restart is not allowed at this socket"}',
  ]);
  const webSocket = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
  for (const path of ['/containers/web/archive', '/containers/web/attach/ws', '/containers/x/y/json', '/absent']) {
    t.is((await read('GET', path, { ...webSocket, 'Sec-WebSocket-Key': `${'a'.repeat(22)}==` }))[0], 403, path);
  }
  for (const path of ['/containers/web/restart?x=/info', '/containers/../info', '//info', '/v1.51//info']) {
    t.is((await read('POST', path))[0], 403, path);
  }

  t.deepEqual(await ci('POST', '/containers/ci-7/restart'), [200, '{"restarted":"ci-7"}']);
  for (const path of ['/containers/web/restart', '/containers/%63i-7/restart', '/containers/ci-/7/restart']) {
    t.is((await ci('POST', path))[0], 403, path);
  }
  t.is((await ci('GET', '/info'))[0], 403);
  t.is((await ci('GET', '/_ping'))[0], 200, 'every client asks this');
  t.is((await ci('GET', '/images/x/json'))[0], 200);
});

for (const rule of ['reads', 'get /info', 'GET info', 'GET', 'GET /a b']) {
  test(`"${rule}" is no rule`, (t) => {
    t.throws(() => parseAccessList('listeners[0].allow', [rule]), {
      message: /listeners\[0\].allow: .*neither "read"/,
    });
  });
}

test('dots and other signs in a rule are themselves', (t) => {
  const list = parseAccessList('allow', ['GET /a.b/(x)', '* /any']);
  t.deepEqual(
    ['/a.b/(x)', '/axb/(x)', '/a.b/x', '/any'].map((path) => list.allows('GET', path)),
    [true, false, false, true],
  );
  t.true(list.allows('DELETE', '/any'));
});

test('a list that allows nothing is refused at the start', async (t) => {
  const listeners = [{ host: 'unix:///tmp/x.sock', allow: [] }];
  await t.throwsAsync(
    start(t, () => ({ hosts: [], listeners })),
    { message: /listeners\[0\].allow: nothing would be allowed/ },
  );
});

test('web pages are answered nothing special, unless they are named', async (t) => {
  const page = { Origin: 'https://ui.example' };
  const off = await start(t, (directory) => ({ hosts: [`unix://${directory}/s`] }));
  t.deepEqual(await off.at('s')('GET', '/info', page), [200, '{"info":true}']);
  t.deepEqual(await off.at('s')('OPTIONS', '/info', page), [200, '']);

  const all = await start(t, (directory) => ({ hosts: [`unix://${directory}/s`], apiCorsHeader: '*' }));
  t.deepEqual(await all.at('s')('GET', '/info', page), [200, '{"info":true}', '*']);
  t.deepEqual(await all.at('s')('OPTIONS', '/info', page), [200, '', '*']);

  const some = await start(t, (directory) => ({
    hosts: [`unix://${directory}/s`],
    apiCorsHeader: 'https://ui.example, https://b.example:8443',
  }));
  t.is((await some.at('s')('GET', '/info', page))[2], 'https://ui.example');
  t.is((await some.at('s')('GET', '/absent', page))[2], 'https://ui.example');
  for (const Origin of ['https://ui.example.evil.example', 'https://ui.example:8443', 'http://ui.example', 'null', '*'])
    t.is((await some.at('s')('GET', '/info', { Origin }))[2], undefined, Origin);
});

test('a page that is not named changes nothing over TCP, where browsers reach', async (t) => {
  const { addresses } = await start(t, () => ({
    hosts: ['tcp://127.0.0.1:0'],
    insecureTcp: true,
    apiCorsHeader: 'https://ui.example',
  }));
  const ask = asks({ host: '127.0.0.1', port: Number(addresses[0]?.split(':')[1]) });
  const page = { Origin: 'https://evil.example' };
  t.deepEqual(await ask('POST', '/containers/web/restart', page), [
    403,
    '{"message":"pages of https://evil.example may not use this engine; see apiCorsHeader"}',
  ]);
  const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket' };
  t.is((await ask('GET', '/containers/web/attach/ws', { ...page, ...upgrade }))[0], 403);
  t.is((await ask('POST', '/containers/web/restart', { Origin: 'https://ui.example' }))[0], 200);
  t.is((await ask('POST', '/containers/web/restart'))[0], 200);
});

test('clients may have half of the descriptors', (t) => {
  t.is(
    defaultMaxConnections(() => 'Limit  Soft  Hard\nMax open files            1024                 4096     files\n'),
    512,
  );
  t.is(
    defaultMaxConnections(() => 'Max open files            unlimited            unlimited            files\n'),
    65_536,
  );
});
