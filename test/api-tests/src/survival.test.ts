import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { outputOf } from './testing/frames.js';
import { startApi } from './testing/start-engine.js';

test('a running container goes on while the daemon is away, and is the same afterwards', async (t) => {
  const api = await startApi(t);
  const id = await api.run({ Cmd: ['sh', '-c', 'echo one; read x; echo two'], OpenStdin: true }, 'web');
  const before = await api.inspect(id);
  await api.restart();
  const after = await api.inspect('web');
  t.deepEqual(after.State, before.State);
  t.deepEqual(after.NetworkSettings.Networks, before.NetworkSettings.Networks);
  t.is((await api.post(`/containers/${id}/start`)).status, 304);
  const socket = await api.hijack('POST', `/containers/${id}/attach?stream=1&stdin=1`);
  socket.end('go\n');
  t.like((await api.post(`/containers/${id}/wait`)).json(), { StatusCode: 0 });
  const logged = await eventually('both lines', async () => {
    const { stdout } = outputOf((await api.get(`/containers/${id}/logs?stdout=1`)).bytes);
    return stdout.includes('two') ? stdout : undefined;
  });
  t.is(logged, 'one\ntwo\n');
});

test('an exit while the daemon is down is recorded at its next start, with code and time', async (t) => {
  const api = await startApi(t);
  const id = await api.run({ Cmd: ['sh', '-c', 'sleep 0.1; exit 4'] });
  const use = api.kernel;
  await use.stop();
  await delay(150);
  await api.restart();
  const { State } = await api.inspect(id);
  t.like(State, { Status: 'exited', ExitCode: 4, Running: false });
  t.true(Date.parse(State.FinishedAt) > Date.parse(State.StartedAt));
  const dies = api.events.filter(({ action }) => action === 'die');
  t.is(dies.length, 1);
});

test('what was acknowledged is there after a restart', async (t) => {
  const api = await startApi(t);
  await api.post('/volumes/create', { Name: 'data', Labels: { a: '1' } });
  await api.post('/networks/create', { Name: 'front' });
  await api.post('/images/busybox/tag?repo=again&tag=x');
  const id = await api.create({ Labels: { b: '2' } }, 'web');
  const asked = ['/volumes', '/networks/front', '/images/again:x/json', `/containers/${id}/json`];
  const before = await Promise.all(asked.map(async (path) => (await api.get(path)).json()));
  await api.restart();
  const after = await Promise.all(asked.map(async (path) => (await api.get(path)).json()));
  t.deepEqual(after, before);
});

test('a container that is to run always runs again after its end and after a restart', async (t) => {
  const api = await startApi(t);
  const policy = { HostConfig: { RestartPolicy: { Name: 'always' } } };
  const id = await api.run({ Cmd: ['sleep', '300'], ...policy });
  await api.restart();
  t.true((await api.inspect(id)).State.Running);
  const stopped = await api.run({ Cmd: ['sleep', '300'], HostConfig: { RestartPolicy: { Name: 'unless-stopped' } } });
  await api.post(`/containers/${stopped}/stop?t=0`);
  await api.restart();
  t.false((await api.inspect(stopped)).State.Running);
});
