import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { definePlugin } from '@gantry/core';
import { silentLogger } from '@gantry/core/driver';
import { bodyStream, hijack, readJson, sendJson } from '@gantry/core/http';
import { inject, injectable } from '@gantry/core/plugin';
import engineApi from '@gantry/engine-api';
import { EngineApi } from '@gantry/engine-api/service';
import { FakePlugin, type Method } from '@gantry/lib-plugin-protocol/testing';
import { ipam, log, network, volume } from '@gantry/memory-drivers';
import { startEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import { ExternalPluginsService } from '../external-plugins-service.js';
import externalPlugins from '../index.js';
import { AuthorizationPlugins } from './authorization-plugins.js';

/** An area that remembers what its handlers saw. */
const area = (seen: unknown[]) => {
  @injectable()
  class AreaRoutes {
    constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

    async start(): Promise<void> {
      this.api.routes('area', (router) => {
        router.post('/make', async (ctx) => {
          seen.push(await readJson(ctx, Type.Record(Type.String(), Type.Unknown())));
          sendJson(ctx, { made: true }, 201);
        });
        router.post('/load', async (ctx) => {
          seen.push(await text(bodyStream(ctx)));
          sendJson(ctx, {});
        });
        router.post('/raw', async (ctx) => {
          const { socket } = await hijack(ctx, { contentType: 'text/plain' });
          socket.write('raw');
        });
        router.get('/secret', (ctx) => sendJson(ctx, { secret: 1 }));
        router.post('/reviewed', async (ctx) => {
          await ctx.state.review(async () => ({ effective: await readJson(ctx, Type.Unknown()) }));
          sendJson(ctx, {}, 201);
        });
        router.get('/guards', (ctx) => sendJson(ctx, this.api.guards));
      });
    }
  }
  return definePlugin({
    id: 'area',
    requires: [EngineApi],
    configSchema: Type.Object({}),
    setup: () => AreaRoutes,
  });
};

async function start(t: ExecutionContext, methods: Record<string, Method>, limit = 4096) {
  const plugin = await FakePlugin.start({
    'Plugin.Activate': () => ({ Implements: ['authz'] }),
    'AuthZPlugin.AuthZReq': () => ({ Allow: true }),
    'AuthZPlugin.AuthZRes': () => ({ Allow: true }),
    ...methods,
  });
  t.teardown(() => plugin.stop());
  const seen: unknown[] = [];
  const directory = plugin.socketPath.replace(/\/[^/]+$/, '');
  const engine = await startEngine(t, [engineApi, volume, network, ipam, log, externalPlugins, area(seen)], {
    plugins: {
      'external-plugins': {
        socketDirectories: [directory],
        specDirectories: [],
        authorization: ['plugin'],
        authorizationBodyBytes: limit,
      },
    },
  });
  const bodies = () =>
    plugin
      .asked('AuthZPlugin.AuthZReq')
      .map(({ RequestBody = '' }) => Buffer.from(String(RequestBody), 'base64').toString());
  return { engine, plugin, seen, bodies };
}

/** Sends bytes as they are and reads to the end. */
async function raw(path: string, head: readonly string[], body: string): Promise<string> {
  const socket = connect(path);
  socket.write(`${head.join('\r\n')}\r\nHost: x\r\nConnection: close\r\n\r\n${body}`);
  return text(socket);
}

const noEvil: Method = ({ RequestBody = '' }) => {
  const body = Buffer.from(String(RequestBody), 'base64').toString();
  return { Allow: !body.includes('evil'), Msg: 'evil is not for you' };
};

test('a plugin sees the request as sent, and the handler gets the same body', async (t) => {
  const { engine, plugin, seen, bodies } = await start(t, {});
  const headers = { 'X-Registry-Auth': 'secret', 'X-Other': 'shown' };
  const answer = await engine.ask('POST', '/v1.51/make?a=%20b', { body: { name: 'x' }, headers });
  t.is(answer.status, 201);
  t.deepEqual(seen, [{ name: 'x' }]);
  t.deepEqual(bodies(), ['{"name":"x"}']);
  const [request] = plugin.asked('AuthZPlugin.AuthZReq');
  t.like(request, { RequestMethod: 'POST', RequestUri: '/v1.51/make?a=%20b' });
  t.like(request?.RequestHeaders, { 'X-Other': 'shown', 'Content-Type': 'application/json' });
  t.false(JSON.stringify(request).includes('secret'));
  const [response] = plugin.asked('AuthZPlugin.AuthZRes');
  t.is(response?.ResponseStatusCode, 201);
  t.is(Buffer.from(String(response?.ResponseBody), 'base64').toString(), '{"made":true}\n');
  t.deepEqual((await engine.ask('GET', '/guards')).json(), ['plugin']);
});

test('a plugin judges what the handler says the request comes to, and can deny it', async (t) => {
  const { engine, bodies } = await start(t, {
    'AuthZPlugin.AuthZReq': ({ RequestBody = '' }) => ({
      Allow: !Buffer.from(String(RequestBody), 'base64').toString().includes('{"effective":{"name":"b"}}'),
      Msg: 'not that',
    }),
  });
  t.is((await engine.ask('POST', '/reviewed', { body: { name: 'a' } })).status, 201);
  const denied = await engine.ask('POST', '/reviewed', { body: { name: 'b' } });
  t.deepEqual([denied.status, denied.json().message], [403, 'authorization denied by plugin plugin: not that']);
  t.deepEqual(bodies(), ['{"name":"a"}', '{"effective":{"name":"a"}}', '{"name":"b"}', '{"effective":{"name":"b"}}']);
});

test('an answer without a boolean "Allow" is a denial that says so', async (t) => {
  const { engine } = await start(t, { 'AuthZPlugin.AuthZReq': () => ({ allow: 'yes' }) });
  const denied = await engine.ask('GET', '/guards');
  const reason = 'its answer to AuthZPlugin.AuthZReq has no boolean "Allow"';
  t.deepEqual([denied.status, denied.json().message], [403, `authorization denied by plugin plugin: ${reason}`]);
});

test('a denial answers 403 with the message of the plugin, and the handler is not called', async (t) => {
  const { engine, seen } = await start(t, { 'AuthZPlugin.AuthZReq': noEvil });
  const answer = await engine.ask('POST', '/make', { body: { name: 'evil' } });
  t.is(answer.status, 403);
  t.deepEqual(answer.json(), { message: 'authorization denied by plugin plugin: evil is not for you' });
  t.deepEqual(seen, []);
});

const evil = '{"name":"evil"}';
const length = `Content-Length: ${evil.length}`;
const json = 'Content-Type: application/json';
const post = (path: string) => `POST ${path} HTTP/1.1`;
const chunked = `${evil.length.toString(16)}\r\n${evil}\r\n0\r\n\r\n`;

for (const [trick, head, body] of [
  ['a length of 0 with a body behind it', [post('/make'), json, 'Content-Length: 0'], evil],
  ['a chunked body', [post('/make'), json, 'Transfer-Encoding: chunked'], chunked],
  [
    'a chunked body with a length of 0',
    [post('/make'), json, 'Content-Length: 0', 'Transfer-Encoding: chunked'],
    chunked,
  ],
  ['two lengths', [post('/make'), json, 'Content-Length: 0', length], evil],
  ['no content type', [post('/make'), length], evil],
  ['another content type', [post('/make'), 'Content-Type: application/octet-stream', length], evil],
  ['two content types, the wrong one first', [post('/make'), 'Content-Type: text/plain', json, length], evil],
  ['two content types, the wrong one last', [post('/make'), json, 'Content-Type: text/plain', length], evil],
  ['a content type with parameters', [post('/make'), `${json}; charset=x`, length], evil],
  ['a content type in capitals', [post('/make'), json.toUpperCase(), length], evil],
  ['an upgrade', [post('/make'), json, length, 'Upgrade: tcp'], evil],
  ['a body behind an upgrade of another type', [post('/make'), 'Content-Type: a/b', length, 'Upgrade: tcp'], evil],
] as const) {
  test(`${trick} does not bypass the plugin`, async (t) => {
    const { engine, seen } = await start(t, { 'AuthZPlugin.AuthZReq': noEvil });
    const answer = await raw(engine.socketPath, head, body);
    t.deepEqual(seen, []);
    t.notRegex(answer, /^HTTP\/1.1 2/);
  });
}

test('an oversized JSON body is refused, however it is padded', async (t) => {
  const { engine, seen, plugin } = await start(t, { 'AuthZPlugin.AuthZReq': noEvil });
  for (const body of [`${' '.repeat(5000)}${evil}`, Readable.from([' '.repeat(5000), evil])]) {
    const answer = await engine.ask('POST', '/make', { body, headers: { 'Content-Type': 'application/json' } });
    t.is(answer.status, 400);
    t.regex(answer.text, /4096/);
  }
  t.deepEqual(seen, []);
  t.deepEqual(plugin.asked('AuthZPlugin.AuthZReq'), []);
});

test('archives of any length pass without the plugin seeing them', async (t) => {
  const { engine, seen, bodies } = await start(t, {});
  const headers = { 'Content-Type': 'application/x-tar' };
  t.is((await engine.ask('POST', '/load', { body: 'a'.repeat(9000), headers })).status, 200);
  t.deepEqual(seen, ['a'.repeat(9000)]);
  t.deepEqual(bodies(), ['']);
});

test('a response is denied before it is sent', async (t) => {
  const { engine } = await start(t, {
    'AuthZPlugin.AuthZRes': ({ ResponseBody = '' }) => ({
      Allow: !Buffer.from(String(ResponseBody), 'base64').toString().includes('secret'),
      Msg: 'no secrets',
    }),
  });
  const answer = await engine.ask('GET', '/secret');
  t.is(answer.status, 403);
  t.deepEqual(answer.json(), { message: 'authorization denied by plugin plugin: no secrets' });
});

test('plugins see error responses, and hijacked connections work', async (t) => {
  const { engine, plugin } = await start(t, {});
  t.is((await engine.ask('GET', '/absent')).status, 404);
  t.is(plugin.asked('AuthZPlugin.AuthZRes')[0]?.ResponseStatusCode, 404);
  t.is(await text(await engine.hijack('POST', '/raw')), 'raw');
});

test('a plugin that fails or is gone denies everything', async (t) => {
  const { engine, plugin, seen } = await start(t, {
    'AuthZPlugin.AuthZReq': () => {
      throw new Error('boom');
    },
  });
  const failed = await engine.ask('POST', '/make', { body: {} });
  t.is(failed.status, 500);
  t.regex(failed.text, /plugin plugin failed with error: AuthZPlugin.AuthZReq: boom/);
  await plugin.stop();
  const gone = await engine.ask('POST', '/make', { body: {} });
  t.is(gone.status, 500);
  t.deepEqual(seen, []);
});

test('a configured authorization plugin counts as in use', (t) => {
  const authorizations = new AuthorizationPlugins({ authorization: ['guard'] });
  const service = new ExternalPluginsService({ adapt: () => undefined } as never, authorizations, silentLogger);
  const join = (name: string, aliases: readonly string[] = []) =>
    service.add({ name, aliases, client: {} as never, protocols: ['authz'] });
  t.is(join('other').inUse, undefined);
  t.is(join('example/guard:latest', ['guard']).inUse, 'the authorization of requests');
});
