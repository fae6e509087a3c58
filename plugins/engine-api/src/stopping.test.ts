import { definePlugin } from '@gantry/core';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { sendJson } from '@gantry/core/http';
import { eventually, startEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import engineApi from './index.js';
import { EngineApi } from './service.js';

test('a stopping engine finishes what runs and refuses new requests while its areas still work', async (t) => {
  const released: string[] = [];
  let finish: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let isWaiting = false;

  @injectable()
  class Area {
    constructor(
      @inject(EngineApi.token) private readonly api: EngineApi,
      @inject(Lifetime) private readonly lifetime: Lifetime,
    ) {}

    async start(): Promise<void> {
      this.lifetime.add(
        this.api.routes('area', (router) => {
          router.get('/quick', (ctx) => sendJson(ctx, 'quick'));
          router.post('/slow', async (ctx) => {
            isWaiting = true;
            await running;
            sendJson(ctx, { stopped: [...released] });
          });
        }),
      );
    }

    async stop(): Promise<void> {
      released.push('area');
    }
  }

  const area = definePlugin({
    id: 'area',
    requires: [EngineApi],
    configSchema: Type.Object({}),
    setup: () => Area,
  });
  const engine = await startEngine(t, [engineApi, area]);
  const slow = engine.ask('POST', '/slow');
  await eventually('the request is running', () => isWaiting);
  const stopped = engine.kernel.stop();
  for (const path of ['/quick', '/absent', '/v9.99/quick']) {
    const refused = await engine.ask('GET', path);
    t.is(refused.status, 503, path);
    t.deepEqual(refused.json(), { message: 'the engine is stopping' });
    t.is(refused.headers.connection, 'close');
  }
  finish();
  t.deepEqual((await slow).json(), { stopped: [] }, 'the area had not stopped');
  await stopped;
  t.deepEqual(released, ['area']);
  await t.throwsAsync(engine.ask('GET', '/quick'), { code: 'ENOENT' });
});
