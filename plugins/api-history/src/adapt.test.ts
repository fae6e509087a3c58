import { definePlugin } from '@gantry/core';
import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { jsonStream, queryOf, sendJson } from '@gantry/core/http';
import engineApi from '@gantry/engine-api';
import { EngineApi } from '@gantry/engine-api/service';
import { startEngine, type TestOwner } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import history from './index.js';

const image = { Id: 'sha256:1', Size: 5, RepoTags: ['a:1'], RepoDigests: ['a@sha256:2'] };

/** Routes that the history has steps for, with answers of the newest version. */
@injectable()
class NewestRoutes {
  constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

  async start(): Promise<void> {
    this.api.routes('newest', (router) => {
      router.get('/images/json', (ctx) => sendJson(ctx, JSON.stringify([image])));
      router.get('/images/*name/json', (ctx) => {
        if (ctx.params.name === 'gone') throw notFound('no such image');
        const extra = ctx.state.speaks('image-without-container') ? {} : { Container: '' };
        sendJson(ctx, { ...image, ...extra }, 203);
      });
      router.get('/images/*name/history', (ctx) => sendJson(ctx, queryOf(ctx).all('platform')));
      router.get('/version', async (ctx) => {
        await jsonStream(ctx).write({ Version: '1', spoken: ctx.state.version });
      });
    });
  }
}

const newest = definePlugin({
  id: 'newest',
  requires: [EngineApi],
  configSchema: Type.Object({}),
  setup: () => NewestRoutes,
});

const start = (t: TestOwner, config: object = { newest: '1.51' }) =>
  startEngine(t, [engineApi, history, newest], { plugins: { 'api-history': config } });

test('an older client gets the answer of its version, prepared text included', async (t) => {
  const engine = await start(t);
  t.deepEqual((await engine.ask('GET', '/v1.51/images/json')).json<unknown>(), [image]);
  t.deepEqual((await engine.ask('GET', '/v1.43/images/json')).json<unknown>(), [{ ...image, VirtualSize: 5 }]);
});

test('the status of an adapted answer stays, and errors are left alone', async (t) => {
  const engine = await start(t);
  const answer = await engine.ask('GET', '/v1.24/images/a/json');
  t.is(answer.status, 203);
  t.deepEqual(answer.json(), { ...image, Container: '', VirtualSize: 5 });
  t.deepEqual((await engine.ask('GET', '/v1.51/images/a/json')).json(), image);
  const refused = await engine.ask('GET', '/v1.24/images/gone/json');
  t.is(refused.status, 404);
  t.deepEqual(refused.json(), { message: 'no such image' });
});

test('a path without a version keeps the pinned one when the newest rises', async (t) => {
  const engine = await start(t, { newest: '1.51', unversioned: '1.41' });
  const answer = await engine.ask('GET', '/version');
  t.like(answer.json(), { spoken: '1.41' });
  t.is(answer.headers['api-version'], '1.51');
});

test('versions outside the configured range are refused with the remedy', async (t) => {
  const engine = await start(t, { oldest: '1.40', newest: '1.44', unversioned: '1.44' });
  t.deepEqual((await engine.ask('GET', '/v1.45/images/json')).json(), {
    message: 'client version 1.45 is too new. Maximum supported API version is 1.44',
  });
  t.regex((await engine.ask('GET', '/v1.39/images/json')).text, /Minimum supported API version is 1\.40/);
});

test('without the plugin only the newest version is spoken', async (t) => {
  const engine = await startEngine(t, [engineApi, newest]);
  t.is((await engine.ask('GET', '/v1.51/images/json')).status, 200);
  t.is((await engine.ask('GET', '/v1.50/images/json')).status, 400);
  t.like((await engine.ask('GET', '/version')).json(), { spoken: '1.51' });
});

for (const [config, words] of [
  [{ newest: '1.52' }, /plugins\.api-history\.newest: 1\.52 is not a version from 1\.24 to 1\.51/],
  [{ newest: '1.40', oldest: '1.41' }, /plugins\.api-history\.oldest: 1\.41 is not a version from 1\.22 to 1\.40/],
  [{ newest: '1.40', unversioned: '1.41' }, /plugins\.api-history\.unversioned: 1\.41 is not/],
] as const) {
  test(`the configuration ${JSON.stringify(config)} is refused`, async (t) => {
    await t.throwsAsync(start(t, config), { message: words });
  });
}

test('a platform that older clients could not ask for is ignored for them', async (t) => {
  const engine = await start(t);
  t.deepEqual((await engine.ask('GET', '/v1.47/images/a/history?platform=x')).json(), []);
  t.deepEqual((await engine.ask('GET', '/v1.48/images/a/history?platform=x')).json(), ['x']);
});
