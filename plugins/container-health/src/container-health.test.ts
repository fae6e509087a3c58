import { AcceleratedClock, startContainers, type TestContainers } from '@gantry/containers/testing';
import { eventually } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import health from './index.js';

interface Inspected {
  readonly Status: string;
  readonly FailingStreak: number;
  readonly Log: readonly {
    readonly ExitCode: number;
    readonly Output: string;
    readonly Start: string;
    readonly End: string;
  }[];
}

const running = ['sleep', '300'];
const second = 1e9;

const check = (test: string, more: object = {}): Record<string, unknown> => ({
  Cmd: running,
  Healthcheck: { Test: ['CMD-SHELL', test], Interval: second, Timeout: 600 * second, ...more },
});

/** Containers that are killed when the test is over. */
async function startOwn(t: ExecutionContext, clock = new AcceleratedClock()): Promise<TestContainers> {
  const own = await startContainers(t, { clock, use: [health] });
  const ids: string[] = [];
  t.teardown(() => Promise.all(ids.map((id) => own.post(`${id}/kill`))));
  return {
    ...own,
    async create(body) {
      const id = await own.create(body);
      ids.push(id);
      return id;
    },
  };
}

async function healthOf({ engine }: TestContainers, id: string): Promise<Inspected | undefined> {
  const answer = await engine.ask('GET', `/containers/${id}/json`);
  return answer.json<{ State: { Health?: Inspected } }>().State.Health;
}

const untilStatus = (own: TestContainers, id: string, status: string): Promise<Inspected> =>
  eventually(`health ${status}`, async () => {
    const health = await healthOf(own, id);
    return health?.Status === status ? health : undefined;
  });

test('a container becomes healthy, which is published once', async (t) => {
  const own = await startOwn(t);
  const id = await own.create(check('echo fine'));
  t.is(await healthOf(own, id), undefined);
  await own.post(`${id}/start`);
  t.like(await healthOf(own, id), { FailingStreak: 0 });
  const health = await untilStatus(own, id, 'healthy');
  t.like(health.Log[0], { ExitCode: 0, Output: 'fine\n' });
  t.true((health.Log[0]?.Start ?? '') <= (health.Log[0]?.End ?? ''));
  await eventually('a second probe', () => own.actions().filter((action) => action === 'exec_die').length >= 2);
  const first = own
    .actions()
    .slice(own.actions().indexOf('start') + 1, own.actions().indexOf('health_status: healthy') + 1);
  t.deepEqual(first, [
    'exec_create: /bin/sh -c echo fine',
    'exec_start: /bin/sh -c echo fine',
    'exec_die',
    'health_status: healthy',
  ]);
  t.is(own.actions().filter((action) => action.startsWith('health_status')).length, 1);
});

test('consecutive failures, and the exit, make a container unhealthy', async (t) => {
  const own = await startOwn(t);
  const id = await own.create(check('echo bad; exit 3', { Retries: 2 }));
  await own.post(`${id}/start`);
  const health = await untilStatus(own, id, 'unhealthy');
  t.true(health.FailingStreak >= 2);
  t.like(health.Log.at(-1), { ExitCode: 3, Output: 'bad\n' });
  t.true(own.actions().includes('health_status: unhealthy'));

  const other = await own.create(check('true'));
  await own.post(`${other}/start`);
  await untilStatus(own, other, 'healthy');
  await own.post(`${other}/kill`);
  t.is((await healthOf(own, other))?.Status, 'unhealthy');
  await own.post(`${other}/start`);
  t.not((await healthOf(own, other))?.Status, 'unhealthy');
});

test('a probe that hangs is killed at its timeout and counts as a failure', async (t) => {
  const own = await startOwn(t);
  const id = await own.create(check('echo waiting; sleep 100', { Timeout: 300 * second, Retries: 1 }));
  await own.post(`${id}/start`);
  const health = await untilStatus(own, id, 'unhealthy');
  t.is(health.Log[0]?.ExitCode, -1);
  t.is(health.Log[0]?.Output, 'Health check exceeded timeout (5m0s): waiting\n');
  await eventually('the end of the probe', () => own.actions().includes('exec_die'));
});

test('a missing program fails the probe with the reason', async (t) => {
  const own = await startOwn(t);
  const Healthcheck = { Test: ['CMD', 'nosuch'], Interval: second, Timeout: 600 * second, Retries: 1 };
  const id = await own.create({ Cmd: running, Healthcheck });
  await own.post(`${id}/start`);
  const health = await untilStatus(own, id, 'unhealthy');
  t.is(health.Log[0]?.ExitCode, -1);
  t.regex(health.Log[0]?.Output ?? '', /executable file not found/);
});

test('a paused container is not probed and keeps its health', async (t) => {
  const clock = new AcceleratedClock();
  const own = await startOwn(t, clock);
  const id = await own.create(check('true', { Retries: 1 }));
  await own.post(`${id}/start`);
  await untilStatus(own, id, 'healthy');
  t.is(await own.post(`${id}/pause`), 204);
  const probes = () => own.actions().filter((action) => action.startsWith('exec_start')).length;
  const before = probes();
  const waits = clock.delays.length;
  await eventually('some intervals', () => clock.delays.length > waits + 3);
  t.true(probes() - before <= 1);
  t.is((await healthOf(own, id))?.Status, 'healthy');
  await own.post(`${id}/unpause`);
  await eventually('a probe', () => probes() > before);
  t.is(own.actions().filter((action) => action.startsWith('health_status')).length, 1);
});

test('a restarted engine keeps the health of running containers', async (t) => {
  const own = await startOwn(t);
  const id = await own.create(check('true', { Interval: 100 * second }));
  await own.post(`${id}/start`);
  const { Log } = await untilStatus(own, id, 'healthy');
  await own.engine.restart();
  t.like(await healthOf(own, id), { Status: 'healthy', Log: [Log[0]] });
  await eventually('the next probe', async () => ((await healthOf(own, id))?.Log.length ?? 0) > 1);
  t.is(own.actions().filter((action) => action.startsWith('health_status')).length, 1);
});

test('a removed container is not probed', async (t) => {
  const own = await startOwn(t);
  const id = await own.create(check('true'));
  await own.post(`${id}/start`);
  await untilStatus(own, id, 'healthy');
  t.is((await own.engine.ask('DELETE', `/containers/${id}?force=1`)).status, 204);
  const { length } = own.actions();
  const other = await own.create(check('true'));
  await own.post(`${other}/start`);
  await untilStatus(own, other, 'healthy');
  t.deepEqual(
    own.engine.events.slice(length).filter(({ actor, action }) => actor.id === id && action.startsWith('exec_start')),
    [],
  );
});
