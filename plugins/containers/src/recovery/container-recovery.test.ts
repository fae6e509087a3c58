import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Collection, StateDrivers } from '@gantry/core/contracts';
import events from '@gantry/events';
import { onDisk } from '@gantry/memory-drivers';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import type { ContainerRecord } from '../record.js';
import { ContainerSteps } from '../service.js';
import { startContainers, type TestContainers } from '../testing/start-containers.js';

const running = ['sleep', '300'];

/** The records as they are on disk. */
const recordsOf = ({ engine }: TestContainers): Collection<ContainerRecord> =>
  engine.kernel
    .drivers(StateDrivers)
    .get()
    .collection<ContainerRecord>({ name: 'containers', version: 1, parse: (value) => value as never });

/** Changes a record behind the engine's back, as a crash between two steps leaves it. */
async function tamper(
  containers: TestContainers,
  id: string,
  change: (record: ContainerRecord) => ContainerRecord,
): Promise<void> {
  const records = recordsOf(containers);
  const record = records.get(id);
  if (record !== undefined) await records.put(id, change(record));
}

test('a running container keeps running, and the next daemon handles its exit', async (t) => {
  const containers = await startContainers(t);
  const { create, engine, host, inspect, post } = containers;
  const id = await create({ Cmd: ['sh', '-c', 'echo before; read x; echo after; exit 5'], OpenStdin: true });
  await post(`${id}/start`);
  await engine.restart();
  t.true((await inspect(id)).State.Running);
  t.deepEqual(host.restored, [id]);
  const socket = await engine.hijack('POST', `/containers/${id}/attach?stream=1&stdin=1&stdout=1`);
  socket.write('go\n');
  t.is((await engine.ask('POST', `/containers/${id}/wait`)).json().StatusCode, 5);
  socket.destroy();
  const log = await engine.ask('GET', `/containers/${id}/logs?stdout=1`);
  t.regex(log.text, /before\n/);
  t.regex(log.text, /after\n/);
  await eventually('the release', () => host.held.length === 0);
});

test('an exit while no daemon runs is recorded with its own code and published once', async (t) => {
  const containers = await startContainers(t);
  const { actions, create, engine, host, inspect, post, runtime } = containers;
  const id = await create({ Cmd: running });
  await post(`${id}/start`);
  const driver = runtime();
  await engine.kernel.stop();
  await driver.kill(id, 9);
  await engine.restart();
  t.like((await inspect(id)).State, { Status: 'exited', ExitCode: 137 });
  t.deepEqual(actions(), ['create', 'start', 'die']);
  await eventually('the release', () => host.held.length === 0);
  await engine.restart();
  t.deepEqual(actions(), ['create', 'start', 'die']);
});

test('a container whose task is gone has ended with 255', async (t) => {
  const { create, engine, inspect, post, runtime } = await startContainers(t);
  const id = await create({ Cmd: running });
  await post(`${id}/start`);
  const driver = runtime();
  await engine.kernel.stop();
  await driver.delete(id, { force: true });
  await engine.restart();
  t.like((await inspect(id)).State, { Status: 'exited', ExitCode: 255 });
});

test('a start that a crash cut off is undone, whatever it had got', async (t) => {
  const containers = await startContainers(t);
  const { actions, create, engine, host, inspect, post, runtime } = containers;
  const id = await create({ Cmd: running, Volumes: { '/data': {} } });
  await post(`${id}/start`);
  await tamper(containers, id, (record) => ({ ...record, state: { status: 'starting', since: record.createdAt } }));
  await engine.restart();
  t.like((await inspect(id)).State, { Status: 'created', Running: false });
  t.deepEqual(await runtime().tasks(), []);
  t.deepEqual(host.held, []);
  t.false(actions().includes('die'));
  t.is(await post(`${id}/start`), 204);
  await post(`${id}/kill`);
});

test('a removal that a crash cut off is finished, volumes and all', async (t) => {
  const containers = await startContainers(t);
  const { create, engine, host } = containers;
  const id = await create({ Volumes: { '/data': {} } });
  await tamper(containers, id, (record) => ({ ...record, state: { status: 'removing', withVolumes: true } }));
  await engine.restart();
  t.is((await engine.ask('GET', `/containers/${id}/json`)).status, 404);
  t.is(host.writables.size, 0);
  t.is(host.volumes.size, 0);
});

test('what a removal deletes after its answer is deleted by the next daemon, and the name is free meanwhile', async (t) => {
  const containers = await startContainers(t, { use: [events] });
  const { create, engine, host, inspect, log } = containers;
  const id = await create({ Volumes: { '/data': {} } }, 'web');
  log.remove = () => Promise.reject(new Error('the log cannot be deleted now'));
  t.is((await engine.ask('DELETE', `/containers/${id}?v=1`)).status, 204);
  t.is((await engine.ask('GET', `/containers/${id}/json`)).status, 404);
  t.is(host.volumes.size, 0);
  t.is(recordsOf(containers).get(id)?.state.status, 'removing');
  const newer = await create({}, 'web');
  Reflect.deleteProperty(log, 'remove');
  await engine.restart();
  t.is((await engine.ask('GET', `/containers/${id}/json`)).status, 404);
  t.is((await inspect('web')).Id, newer);
  await eventually('the erased record', () => !recordsOf(containers).has(id));
  t.deepEqual([...host.writables.keys()], [newer]);
  const past = await engine.ask('GET', `/events?since=1&until=${Math.ceil(Date.now() / 1000) + 1}`);
  t.is(past.text.match(/"action":"destroy"/gi)?.length, 1);
});

test('a daemon that stops first deletes what removed containers have left', async (t) => {
  const containers = await startContainers(t);
  const { create, engine, log } = containers;
  const id = await create();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  log.remove = () => held;
  t.is((await engine.ask('DELETE', `/containers/${id}`)).status, 204);
  const records = recordsOf(containers);
  const stopped = engine.kernel.stop();
  await setImmediate();
  t.true(records.has(id));
  release();
  await stopped;
  t.false(records.has(id));
  await engine.restart();
});

test('layers, volumes and tasks of no container are removed', async (t) => {
  const { internals, create, engine, host, post, runtime } = await startContainers(t);
  const stray = 'f'.repeat(64);
  const known = await create({ Cmd: running });
  await post(`${known}/start`);
  await host.storage.createWritable({ id: stray });
  await host.storage.createWritable({ id: 'of-another-program' });
  await internals().store.intendVolumes(stray, ['loose']);
  await host.volumeService.ensure({ name: 'loose' });
  const spec = { ociVersion: '1.0.2', root: { path: '/' }, mounts: [], linux: { namespaces: [] } };
  const process = { args: ['sleep', '300'], cwd: '/', user: { uid: 0, gid: 0 }, env: ['PATH=/bin'] };
  const streams = { openStdin: false, stdinOnce: false, spool: undefined };
  await runtime().create({ id: stray, spec: { ...spec, process }, ...streams });
  await engine.restart();
  await eventually('the sweep', () => !host.writables.has(stray) && !host.volumes.has('loose'));
  t.deepEqual(
    (await runtime().tasks()).map(({ id }) => id),
    [known],
  );
  t.true(host.writables.has('of-another-program'));
  await post(`${known}/kill`);
});

test('a container whose record cannot be read runs on and keeps what it has', async (t) => {
  const containers = await startContainers(t);
  const { create, engine, host, inspect, post, runtime } = containers;
  const id = await create({ Cmd: running });
  await post(`${id}/start`);
  const place = path.join(engine.directory, 'data/drivers/state-memory');
  const disk = onDisk<Map<string, Map<string, { readonly json: string }>>>(place, 'state', () => new Map());
  const records = disk.get('containers');
  const intact = records?.get(id);
  t.truthy(intact);
  records?.set(id, { ...intact, json: '{' });
  await engine.restart();
  t.is((await engine.ask('GET', `/containers/${id}/json`)).status, 404);
  t.like(await runtime().tasks(), [{ id, status: 'running' }]);
  t.true(host.restored.includes(id));
  // The sweep, which would have begun before, goes on in the background.
  await host.storage.createWritable({ id: 'f'.repeat(64) });
  await engine.restart();
  await eventually('the sweep', () => !host.writables.has('f'.repeat(64)));
  t.true(host.writables.has(id));

  records?.set(id, { json: '', ...intact });
  await engine.restart();
  t.true((await inspect(id)).State.Running);
  await post(`${id}/kill`);
});

test('policies bring containers back: always even when stopped, unless-stopped not', async (t) => {
  const { create, engine, inspect, post } = await startContainers(t);
  const ids: string[] = [];
  for (const Name of ['always', 'unless-stopped', 'no']) {
    const id = await create({ Cmd: running, HostConfig: { RestartPolicy: { Name } } });
    await post(`${id}/start`);
    await post(`${id}/stop?t=0`);
    ids.push(id);
  }
  await engine.restart();
  const [always = '', ...others] = ids;
  await eventually('the restart', async () => (await inspect(always)).State.Running);
  for (const id of others) t.false((await inspect(id)).State.Running);
  await post(`${always}/kill`);
});

test('a container that waits for its restart is restarted by the next daemon', async (t) => {
  const containers = await startContainers(t);
  const { create, engine, inspect, post } = containers;
  const policy = { RestartPolicy: { Name: 'unless-stopped' } };
  const id = await create({ Cmd: ['sh', '-c', 'exit 1'], HostConfig: policy });
  await post(`${id}/start`);
  await eventually('the wait', async () => (await inspect(id)).State.Status === 'restarting');
  const { RestartCount } = await inspect(id);
  await engine.restart();
  await eventually('another run', async () => (await inspect(id)).RestartCount > RestartCount);
  t.pass();
  await post(`${id}/kill`);
});

test('a container whose maker ended with the daemon is removed, unless it was to be kept', async (t) => {
  const { engine, inspect, post } = await startContainers(t);
  const steps = engine.kernel.service(ContainerSteps);
  const gone = await steps.create({ Image: 'busybox', Cmd: running });
  const kept = await steps.create({ Image: 'busybox', Cmd: running });
  await post(`${gone}/start`);
  await steps.keep(kept);
  await engine.restart();
  await eventually('the removal', async () => (await engine.ask('GET', `/containers/${gone}/json`)).status === 404);
  t.is((await inspect(kept)).State.Status, 'created');
});

test('a hundred running containers are adopted quickly', async (t) => {
  const { create, engine, inspect, post } = await startContainers(t);
  const ids = await Promise.all(Array.from({ length: 100 }, () => create({ Cmd: running })));
  await Promise.all(ids.map((id) => post(`${id}/start`)));
  await engine.restart();
  t.true((await inspect(ids[99] ?? '')).State.Running);
  await Promise.all(ids.map((id) => post(`${id}/kill`)));
});
