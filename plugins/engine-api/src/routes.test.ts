import { stat } from 'node:fs/promises';
import { definePlugin } from '@gantry/core';
import { sendJson } from '@gantry/core/http';
import { inject, injectable } from '@gantry/core/plugin';
import { startEngine, type TestOwner } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import engineApi from './index.js';
import { EngineApi } from './service.js';

@injectable()
class HelloRoutes {
  constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

  async start(): Promise<void> {
    this.api.routes('hello', (router) => {
      router.get('/hello', (ctx) => sendJson(ctx, { version: ctx.state.version, addresses: this.api.addresses }));
      router.post('/wait', async (ctx) => {
        ctx.state.endless();
        await new Promise((_, reject) => {
          ctx.state.signal.addEventListener('abort', () => reject(ctx.state.signal.reason));
        });
      });
    });
  }
}

const hello = definePlugin({
  id: 'hello',
  requires: [EngineApi],
  configSchema: Type.Object({}),
  setup: () => HelloRoutes,
});

const start = (t: TestOwner) => startEngine(t, [engineApi, hello]);

test('a path without a version means the newest', async (t) => {
  const engine = await start(t);
  t.like((await engine.ask('GET', '/hello')).json(), { version: '1.51' });
  t.like((await engine.ask('GET', '/v1.51/hello')).json(), { version: '1.51' });
});

for (const [version, message] of [
  ['1.52', 'client version 1.52 is too new. Maximum supported API version is 1.51'],
  [
    '1.23',
    'client version 1.23 is too old. Minimum supported API version is 1.51, please upgrade your client to a newer version',
  ],
] as const) {
  test(`version ${version} is refused with what is supported`, async (t) => {
    const engine = await start(t);
    const answer = await engine.ask('GET', `/v${version}/hello`);
    t.is(answer.status, 400);
    t.deepEqual(answer.json(), { message });
  });
}

test('every response has the version of the API, also an error', async (t) => {
  const engine = await start(t);
  for (const path of ['/hello', '/absent', '/v9.9/hello']) {
    t.like((await engine.ask('GET', path)).headers, { 'api-version': '1.51', ostype: 'linux' });
  }
});

test('the socket is for its owner and group, and its address is known', async (t) => {
  const engine = await start(t);
  t.is((await stat(engine.socketPath)).mode & 0o777, 0o660);
  t.deepEqual((await engine.ask('GET', '/hello')).json().addresses, [engine.socketPath]);
});

test('a stopping engine aborts endless requests', async (t) => {
  const engine = await start(t);
  const waiting = engine.ask('POST', '/wait');
  const settled = waiting.then(
    ({ status }) => status,
    () => 'cut',
  );
  await engine.ask('GET', '/hello');
  await engine.kernel.stop();
  t.is(await settled, 503);
  await t.throwsAsync(engine.ask('GET', '/hello'), { code: 'ENOENT' });
});
