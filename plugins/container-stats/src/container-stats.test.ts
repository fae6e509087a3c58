import { createInterface } from 'node:readline';
import { AcceleratedClock, startContainers } from '@gantry/containers/testing';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import stats from './index.js';

const running = ['sleep', '300'];

interface StatsRecord {
  readonly read: string;
  readonly preread: string;
  readonly id: string;
  readonly name: string;
  readonly pids_stats: { readonly current?: number };
  readonly blkio_stats: Readonly<Record<string, readonly unknown[]>>;
}

const zero = '0001-01-01T00:00:00Z';

test('one record has counters of two moments', async (t) => {
  const { create, engine, post } = await startContainers(t, { clock: new AcceleratedClock(), use: [stats] });
  const id = await create({ Cmd: running }, 'box');
  await post(`${id}/start`);
  t.teardown(() => post(`${id}/kill`));
  const answer = await engine.ask('GET', '/containers/box/stats?stream=0');
  const records = answer.lines<StatsRecord>();
  t.is(records.length, 1);
  const [record] = records;
  t.like(record, { id, name: '/box', pids_stats: { current: 1 } });
  t.true((record?.preread ?? zero) > zero && (record?.read ?? '') > (record?.preread ?? ''));
  t.deepEqual(record?.blkio_stats.io_service_bytes_recursive, []);
  const single = await engine.ask('GET', '/containers/box/stats?stream=0&one-shot=1');
  t.is(single.json<StatsRecord>().preread, zero);
  const both = await engine.ask('GET', '/containers/box/stats?one-shot=1');
  t.deepEqual([both.status, both.json()], [400, { message: 'cannot have stream=true and one-shot=true' }]);
});

test('a container that does not run has one record of zeros', async (t) => {
  const { create, engine } = await startContainers(t, { use: [stats] });
  await create({}, 'box');
  for (const query of ['?stream=0', '']) {
    const answer = await engine.ask('GET', `/containers/box/stats${query}`);
    t.is(answer.status, 200);
    t.is(answer.lines().length, 1);
    t.like(answer.json<StatsRecord>(), { read: zero, name: '/box', pids_stats: {} });
  }
  t.is((await engine.ask('GET', '/containers/nosuch/stats')).status, 404);
});

test('a stream of records ends with the container, and every reader gets it', async (t) => {
  const { create, engine, post } = await startContainers(t, { clock: new AcceleratedClock(), use: [stats] });
  const id = await create({ Cmd: running });
  await post(`${id}/start`);
  t.teardown(() => post(`${id}/kill`));
  const streams = await Promise.all([1, 2].map(() => engine.open('GET', `/containers/${id}/stats`)));
  const counts = streams.map(({ body }) => {
    const count = { lines: 0, ended: false };
    createInterface({ input: body })
      .on('line', () => {
        count.lines++;
      })
      .on('close', () => {
        count.ended = true;
      });
    return count;
  });
  await eventually('three records for both', () => counts.every(({ lines }) => lines >= 3));
  t.is(await post(`${id}/kill`), 204);
  await eventually('the end of both', () => counts.every(({ ended }) => ended));
});

test('a container that is restarted by its policy goes on being measured', async (t) => {
  const { create, engine, post } = await startContainers(t, { clock: new AcceleratedClock(), use: [stats] });
  const body = {
    Cmd: ['sh', '-c', 'sleep 0.05; exit 1'],
    HostConfig: { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 } },
  };
  const id = await create(body);
  await post(`${id}/start`);
  t.teardown(() => post(`${id}/kill`));
  const answer = await engine.ask('GET', `/containers/${id}/stats`);
  t.true(answer.lines().length >= 3);
});
