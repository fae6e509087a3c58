import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { definePlugin } from '@gantry/core';
import { jsonStream, sendJson } from '@gantry/core/http';
import { inject, injectable } from '@gantry/core/plugin';
import { startEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import engineApi from './index.js';
import { EngineApi, worksWithoutDisk } from './service.js';

test('requests that wait for a disk that hangs fail with this reason, and those that need no disk are served', async (t) => {
  const finished: string[] = [];
  let answer: () => void = () => undefined;
  const disk = new Promise<void>((resolve) => {
    answer = resolve;
  });
  @injectable()
  class AreaRoutes {
    constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

    async start(): Promise<void> {
      this.api.routes('area', (router) => {
        router.get('/quick', (ctx) => sendJson(ctx, 'quick'));
        router.get('/stuck', async (ctx) => {
          await disk;
          sendJson(ctx, 'stuck');
        });
        router.post('/stuck', async (ctx) => {
          const aborted = once(ctx.state.signal, 'abort');
          await Promise.all([disk, aborted]);
          finished.push('stuck');
          sendJson(ctx, 'stuck');
        });
        router.post('/progress', async (ctx) => {
          const stream = jsonStream(ctx);
          stream.write({ status: 'begun' });
          await disk;
          stream.write({ status: 'done' });
          finished.push('progress');
        });
        router.post('/slow', async (ctx) => {
          await delay(3500);
          sendJson(ctx, 'slow');
        });
        router.post('/containers/:id/kill', worksWithoutDisk, (ctx) => sendJson(ctx, 'killed'));
      });
    }
  }
  const area = definePlugin({
    id: 'area',
    requires: [EngineApi],
    configSchema: Type.Object({}),
    setup: () => AreaRoutes,
  });
  const engine = await startEngine(t, [engineApi, area], {
    plugins: { 'engine-api': { diskTimeoutSeconds: 1, diskReadTimeoutSeconds: 1 } },
  });
  // Opening it to write blocks until it is opened to read.
  const fifo = join(engine.directory, 'data/plugins/engine-api/pulse');
  await promisify(execFile)('mkfifo', [fifo]);
  t.teardown(async () => {
    // Opened for both, it blocks no one.
    await (await open(fifo, 'r+').catch(() => undefined))?.close();
  });
  const [stuck, read, progress] = await Promise.all([
    engine.ask('POST', '/stuck'),
    engine.ask('GET', '/stuck'),
    engine.ask('POST', '/progress'),
  ]);
  for (const refused of [stuck, read]) {
    t.is(refused.status, 503);
    t.regex(messageIn(refused), /^the disk of .*engine-api has not answered for \d+ s: the operation continues/);
  }
  t.regex(progress.text, /^\{"status":"begun"\}\n\{"errorDetail":\{"message":"the disk of .* has not answered/);
  t.deepEqual(finished, []);

  const late = await engine.ask('POST', '/slow');
  t.is(late.status, 503);
  t.regex(messageIn(late), /: nothing was begun$/);
  t.is((await engine.ask('POST', '/containers/one/kill')).status, 200);
  t.is((await engine.ask('GET', '/quick')).status, 200);

  const reader = await open(fifo, 'r');
  answer();
  // Slow requests are not abandoned while the disk responds.
  while ((await engine.ask('POST', '/slow')).status !== 200) await delay(50);
  await reader.close();
  t.deepEqual([...finished].sort(), ['progress', 'stuck'], 'operations that had begun continue');
});

const messageIn = (answer: { json(): unknown }): string => (answer.json() as { message: string }).message;
