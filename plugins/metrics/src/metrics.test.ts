import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { StateDriver } from '@gantry/core/contracts';
import { type DriverLifecycle, inject, injectable, type Measurement } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { sendJson } from '@gantry/core/http';
import { definePlugin } from '@gantry/core/plugin';
import engineApi from '@gantry/engine-api';
import { EngineApi } from '@gantry/engine-api/service';
import { state } from '@gantry/memory-drivers';
import { startEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import metrics from './index.js';
import { parseExposition } from './testing/parse-exposition.js';

/** The context is a directory of each test's own, for sockets. */
const test = anyTest as TestFn<string>;

test.beforeEach(async (t) => {
  t.context = await mkdtemp(join(tmpdir(), 'gantry-metrics-'));
});

test.afterEach.always((t) => rm(t.context, { recursive: true, force: true }));

/** Routes of the test's own, and what their package measures. */
@injectable()
class Things implements DriverLifecycle {
  constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

  async start(): Promise<void> {
    this.api.routes('things', (router) => {
      router.get('/things/:name', (ctx) => sendJson(ctx, {}));
      router.delete('/things/:name', () => {
        throw unavailable('not now');
      });
    });
  }

  measure(): readonly Measurement[] {
    const values = [
      { labels: { kind: 'a "quoted"\\ one\n' }, value: 2 },
      { labels: { kind: 'b' }, value: 0 },
    ];
    return [
      { name: 'things', type: 'gauge', help: 'Things, by kind', values },
      { name: 'absent_things', type: 'gauge', help: 'Things that are absent', values: [] },
    ];
  }
}

const things = definePlugin({
  id: 'things',
  requires: [EngineApi],
  configSchema: Type.Object({}),
  setup: () => Things,
});

const faulty = definePlugin({
  id: 'faulty',
  configSchema: Type.Object({}),
  setup: () => ({
    measure: () => {
      throw new Error('no such file');
    },
  }),
});

const start = (t: ExecutionContext, config: object = {}, use: Parameters<typeof startEngine>[1] = []) =>
  startEngine(t, [engineApi, state, things, metrics, ...use], { plugins: { metrics: config } });

type Engine = Awaited<ReturnType<typeof start>>;

async function scrape(engine: Engine) {
  const answer = await engine.ask('GET', '/metrics');
  if (answer.status !== 200) throw new Error(answer.text);
  return parseExposition(answer.text);
}

test('what packages measure can be scraped, in the text format of Prometheus and named by its conventions', async (t) => {
  const engine = await start(t);
  t.regex(String((await engine.ask('GET', '/metrics')).headers['content-type']), /^text\/plain; version=0\.0\.4/);
  const found = await scrape(engine);
  t.deepEqual(
    [...(found.get('gantry_things')?.samples ?? [])],
    [
      ['gantry_things{kind="a \\"quoted\\"\\\\ one\\n"}', 2],
      ['gantry_things{kind="b"}', 0],
    ],
  );
  t.false(found.has('gantry_absent_things'));
  t.true((found.get('gantry_process_resident_memory_bytes')?.samples.values().next().value ?? 0) > 1e6);
  for (const [name, { help, samples, type }] of found) {
    t.regex(name, /^gantry_/);
    // Of summaries only.
    t.notRegex([...samples.keys()].join(), /quantile=/);
    t.regex(help, /^[A-Z].*[^.]$/, name);
    t.is(name.endsWith('_total'), type === 'counter', name);
  }
});

test('requests are counted by the pattern of their route and their status, whatever paths clients make up', async (t) => {
  const engine = await start(t);
  for (const name of ['one', 'two', 'three']) await engine.ask('GET', `/v1.51/things/${name}`);
  await engine.ask('DELETE', '/things/one');
  for (const name of ['x', 'y']) await engine.ask('PUT', `/made-up-${name}`);
  const found = await scrape(engine);
  const requests = found.get('gantry_http_requests_total')?.samples;
  t.deepEqual(Object.fromEntries(requests ?? []), {
    'gantry_http_requests_total{method="GET",route="/things/:name",status="200"}': 3,
    'gantry_http_requests_total{method="DELETE",route="/things/:name",status="503"}': 1,
    'gantry_http_requests_total{method="none",route="none",status="404"}': 2,
  });
  const durations = found.get('gantry_http_request_duration_seconds')?.samples;
  t.is(durations?.get('gantry_http_request_duration_seconds_count{method="GET",route="/things/:name"}'), 3);
  // The scrape itself.
  t.is(found.get('gantry_http_requests_running')?.samples.get('gantry_http_requests_running'), 1);
});

test('a package that cannot be measured leaves the others in place', async (t) => {
  const engine = await start(t, {}, [faulty]);
  t.true((await scrape(engine)).has('gantry_things'));
});

test('a listener of its own has metrics and health, and nothing else of the engine', async (t) => {
  const socketPath = join(t.context, 'metrics.sock');
  const engine = await start(t, { host: `unix://${socketPath}` });
  const ask = (path: string) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      request({ socketPath, path, agent: false }, (answer) => {
        text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject);
      })
        .once('error', reject)
        .end();
    });
  t.true(parseExposition((await ask('/metrics')).body).has('gantry_things'));
  t.is((await ask('/health/live')).status, 200);
  t.is((await ask('/things/one')).status, 404);
  t.is((await engine.ask('GET', '/things/one')).status, 200);
});

test('a listener without encryption at an address that others reach has to be asked for', async (t) => {
  await t.throwsAsync(start(t, { host: 'tcp://0.0.0.0:0' }), { message: /insecureTcp/ });
});

test('access lists apply to metrics and health, and "read" allows them', async (t) => {
  const directory = t.context;
  const [read, none] = [join(directory, 'read.sock'), join(directory, 'none.sock')];
  await startEngine(t, [engineApi, state, things, metrics], {
    plugins: {
      'engine-api': {
        listeners: [
          { host: `unix://${read}`, allow: ['read'] },
          { host: `unix://${none}`, allow: ['GET /things/*'] },
        ],
      },
    },
  });
  const statusAt = (socketPath: string, path: string) =>
    new Promise((resolve, reject) => {
      request({ socketPath, path, agent: false }, (answer) => resolve(answer.resume().statusCode))
        .once('error', reject)
        .end();
    });
  t.is(await statusAt(read, '/metrics'), 200);
  t.is(await statusAt(read, '/health/ready'), 200);
  t.is(await statusAt(none, '/metrics'), 403);
  t.is(await statusAt(none, '/health/ready'), 403);
});

test('the engine is ready while it can store what clients change, and says what keeps it from that', async (t) => {
  const engine = await start(t);
  t.deepEqual((await engine.ask('GET', '/health/live')).json(), { status: 'live' });
  const ready = await engine.ask('GET', '/health/ready');
  t.is(ready.status, 200);
  t.deepEqual(ready.json(), { status: 'ready', failures: [], warnings: [] });
});

test('an engine whose state store takes nothing is live, but not ready', async (t) => {
  const full = {
    ...state,
    create: async (...args: Parameters<typeof state.create>) => {
      const driver = (await state.create(...args)) as unknown as StateDriver;
      return {
        capabilities: driver.capabilities,
        transaction: () => Promise.reject(unavailable('no space left on device')),
        collection: () => ({ put: () => Promise.reject(unavailable('no space left on device')) }),
      } as never;
    },
  };
  const engine = await startEngine(t, [engineApi, full, metrics]);
  t.is((await engine.ask('GET', '/health/live')).status, 200);
  const ready = await engine.ask('GET', '/health/ready');
  t.is(ready.status, 503);
  t.deepEqual(ready.json().failures, ['the state store: no space left on device']);
});
