import { definePlugin } from '@gantry/core';
import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { openBody, queryOf, sendJson, statuses } from '@gantry/core/http';
import engineApi from '@gantry/engine-api';
import { EngineApi } from '@gantry/engine-api/service';
import { startEngine, type TestOwner } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import dialect from './index.js';

/** Routes with one response of each kind, in the neutral dialect. */
@injectable()
class AnswerRoutes {
  constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

  async start(): Promise<void> {
    this.api.routes('answers', (router) => {
      router.post('/empty/:status', (ctx) => {
        ctx.status = Number(ctx.params.status);
      });
      router.post('/services/:id/update', (ctx) => {
        ctx.status = 200;
        if (ctx.params.id === 'warned') sendJson(ctx, { Warnings: ['old'] });
      });
      router.get('/info', (ctx) => sendJson(ctx, { EngineRootDir: '/data', Other: 1 }));
      router.get('/runtime', (ctx) => sendJson(ctx, { DefaultRuntime: 'crun', Runtimes: { crun: {}, runc: {} } }));
      router.get('/image', (ctx) => sendJson(ctx, { EngineVersion: '1' }));
      router.get('/list', (ctx) => sendJson(ctx, [{ EngineRootDir: '/data' }]));
      router.get('/images/*name/get', statuses.notFoundIsServerError, () => {
        throw notFound('No such image: gone:latest');
      });
      router.get('/text', (ctx) => {
        ctx.body = 'OK';
      });
      router.get('/query', (ctx) => sendJson(ctx, { buildfile: queryOf(ctx).string('buildfile') }));
      router.get('/stat', (ctx) => {
        ctx.res.setHeader('X-Engine-Container-Path-Stat', 'c3RhdA==');
        ctx.status = 200;
      });
      router.get('/stream', async (ctx) => {
        await openBody(ctx, { contentType: 'application/vnd.engine.raw-stream' });
      });
    });
  }
}

const answers = definePlugin({
  id: 'answers',
  requires: [EngineApi],
  configSchema: Type.Object({}),
  setup: () => AnswerRoutes,
});

const start = (t: TestOwner) => startEngine(t, [engineApi, dialect, answers]);
const docker = { headers: { 'User-Agent': 'Docker-Client/20.10.24 (linux)' } };

for (const status of [200, 201, 204]) {
  test(`a response without a body keeps its status ${status}`, async (t) => {
    const engine = await start(t);
    const answer = await engine.ask('POST', `/empty/${status}`);
    t.is(answer.status, status);
    t.is(answer.text, '');
  });
}

test('JSON fields are added under their Docker names', async (t) => {
  const engine = await start(t);
  t.deepEqual((await engine.ask('GET', '/info')).json(), { EngineRootDir: '/data', Other: 1, DockerRootDir: '/data' });
  t.deepEqual((await engine.ask('GET', '/image')).json(), { EngineVersion: '1', DockerVersion: '1' });
});

test('the default runtime is reported as runc to Docker clients only', async (t) => {
  const engine = await start(t);
  t.like((await engine.ask('GET', '/runtime', docker)).json(), {
    DefaultRuntime: 'runc',
    Runtimes: { crun: {}, runc: {} },
  });
  t.like((await engine.ask('GET', '/runtime')).json(), { DefaultRuntime: 'crun' });
});

test('the update of a service has a body for Docker clients only, and its own where it has one', async (t) => {
  const engine = await start(t);
  const update = async (id: string, options?: object) => await engine.ask('POST', `/services/${id}/update`, options);
  t.deepEqual((await update('web', docker)).json(), { Warnings: null });
  t.deepEqual((await update('warned', docker)).json(), { Warnings: ['old'] });
  t.is((await update('web')).text, '');
});

test('arrays and text bodies are unchanged', async (t) => {
  const engine = await start(t);
  t.deepEqual((await engine.ask('GET', '/list')).json(), [{ EngineRootDir: '/data' }]);
  t.is((await engine.ask('GET', '/text')).text, 'OK');
});

test('error bodies are unchanged', async (t) => {
  const engine = await start(t);
  t.deepEqual((await engine.ask('GET', '/absent')).json(), { message: 'page not found' });
});

test("a query parameter with Docker's name is renamed to the neutral one", async (t) => {
  const engine = await start(t);
  t.deepEqual((await engine.ask('GET', '/query?dockerfile=a%2Fb')).json(), { buildfile: 'a/b' });
  t.deepEqual((await engine.ask('GET', '/query?buildfile=c')).json(), { buildfile: 'c' });
});

test('a translated header is sent under both names', async (t) => {
  const engine = await start(t);
  const { headers } = await engine.ask('HEAD', '/stat');
  t.is(headers['x-engine-container-path-stat'], 'c3RhdA==');
  t.is(headers['x-docker-container-path-stat'], 'c3RhdA==');
});

test("streams have Docker's media type for Docker clients only", async (t) => {
  const engine = await start(t);
  const type = async (options?: object) => (await engine.ask('GET', '/stream', options)).headers['content-type'];
  t.is(await type(docker), 'application/vnd.docker.raw-stream');
  t.is(await type(), 'application/vnd.engine.raw-stream');
});

test('the Server header ends with the operating system, on errors too', async (t) => {
  const engine = await start(t);
  for (const path of ['/text', '/absent', '/stream']) {
    t.regex(String((await engine.ask('GET', path)).headers.server), /^Docker\/.* \(linux\)$/);
  }
});

test('the save of an absent image is 500 as documented, and the 404 that Docker clients expect', async (t) => {
  const engine = await start(t);
  t.is((await engine.ask('GET', '/images/gone/get')).status, 500);
  t.is((await engine.ask('GET', '/images/gone/get', docker)).status, 404);
});
