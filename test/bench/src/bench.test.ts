import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { buildScenario } from './builds/build-scenario.js';
import { Engine } from './engine.js';
import { percentile } from './measurements.js';
import { readOptions } from './options.js';
import { runScenarios } from './run-scenarios.js';
import { ping } from './scenarios/ping.js';
import { comparison, growthTable } from './tables.js';

test('the comparison has medians side by side and their ratio', (t) => {
  const of = (name: string, ms: number, rate: number) => ({
    name,
    figures: new Map([
      ['start ms', [ms, ms, ms + 1]],
      ['log read MiB/s', [rate]],
    ]),
  });
  t.deepEqual(comparison([of('ours', 10, 200), of('theirs', 25, 100)]).split('\n'), [
    '|  | ours | theirs | times better |',
    '| --- | ---: | ---: | ---: |',
    '| start ms | 10.00 | 25.00 | 2.50 |',
    '| log read MiB/s | 200 | 100 | 2.00 |',
  ]);
});

test('the growth table has costs by size', (t) => {
  const points = [
    { figure: 'list ms', size: 10, value: 1 },
    { figure: 'list ms', size: 100, value: 7.125 },
  ];
  t.is(growthTable('containers', points).split('\n').at(-1), '| list ms | 1.00 | 7.13 |');
});

test('percentiles are measured values', (t) => {
  t.is(percentile([3, 1, 2], 0.5), 2);
  t.is(percentile([1, 2], 0.99), 2);
  t.is(percentile([], 0.5), Number.NaN);
});

const usual = { image: 'busybox', rounds: Number.POSITIVE_INFINITY };

test('invalid arguments are named in the error', (t) => {
  t.throws(() => readOptions([]), { message: 'no engine was named' });
  t.throws(() => readOptions(['/run/x.sock']), { message: '"/run/x.sock" is not NAME=SOCKET or NAME=SOCKET,PID' });
  t.throws(() => readOptions(['a=/x', '--growth', 'much']), { message: /--growth much/ });
  t.throws(() => readOptions(['a=/x', '--rounds', '0']), { message: /--rounds 0/ });
  t.like(readOptions(['a=/x,12', '--only', 'ping']), { only: ['ping'], growth: 0, image: 'busybox' });
});

test('builds are measured through buildx and the classic builder of the docker CLI', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-bench-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const [docker, calls] = [path.join(directory, 'docker'), path.join(directory, 'calls')];
  await writeFile(docker, `#!/bin/sh\necho "$DOCKER_BUILDKIT $1 $(ls "$4" | wc -l)" >> ${calls}\n`, { mode: 0o755 });
  const engine = new Engine('absent', path.join(directory, 'engine.sock'), undefined);
  const { measured, failures } = await runScenarios([buildScenario(docker)], [engine], { image: 'busybox', rounds: 1 });
  t.deepEqual(failures, []);
  t.deepEqual(
    [...(measured[0]?.figures.keys() ?? [])],
    ['buildx', 'classic'].flatMap((front) =>
      ['nothing', 'first', 'cached', 'one line changed'].map((name) => `${front}, ${name} ms`),
    ),
  );
  const each = (front: string) => ['1', '3', '3', '3'].map((files) => `${front} build ${files}`);
  t.deepEqual((await readFile(calls, 'utf8')).trim().split('\n'), [...each('1'), ...each('0')]);
});

test('an engine is measured over its socket, and a failure names scenario and engine', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-bench-'));
  const socket = path.join(directory, 'engine.sock');
  const server = createServer(({ url }, response) => {
    response.statusCode = url === '/v1.24/_ping' ? 200 : 404;
    response.end(response.statusCode === 200 ? 'OK' : 'page not found');
  }).listen(socket);
  await once(server, 'listening');
  t.teardown(() => rm(directory, { recursive: true }));
  t.teardown(() => server.close());
  const engine = new Engine('small', socket, undefined);
  t.teardown(() => engine.close());
  const { measured } = await runScenarios([ping], [engine], usual);
  t.is(measured[0]?.figures.get('ping ms')?.length, 500);
  const failing = { name: 'list', rounds: 1, run: async () => ({ x: [(await engine.bytes('GET', '/nope')).length] }) };
  const { failures } = await runScenarios([{ ...failing, rounds: 3 }], [engine], usual);
  t.deepEqual(failures, ['list on small: GET /nope: 404 page not found']);
});
