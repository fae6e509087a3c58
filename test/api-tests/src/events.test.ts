import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { type ApiEngine, startApi } from './testing/start-engine.js';

const sleeping = { Cmd: ['sleep', '300'] };
const obedient = { Cmd: ['sh', '-c', 'trap "exit 0" TERM; echo ready; sleep 300'] };

/** Actions of containers, volumes and networks so far, such as `start` and `network connect`. */
const actions = (api: ApiEngine): readonly string[] =>
  api.events
    .filter(({ type }) => type !== 'image')
    .map(({ type, action }) => (type === 'container' ? action : `${type} ${action}`));

const untilLeft = (api: ApiEngine) =>
  eventually('the container has left its network', () => actions(api).at(-1) === 'network disconnect');

const killed = (api: ApiEngine): readonly (string | undefined)[] =>
  api.events.filter(({ action }) => action === 'kill').map(({ actor }) => actor.attributes.signal);

test('a run to the end', async (t) => {
  const api = await startApi(t);
  const { id } = await api.runToEnd({ Cmd: ['sh', '-c', 'exit 3'] });
  await untilLeft(api);
  await api.delete(`/containers/${id}`);
  t.deepEqual(actions(api), ['create', 'network connect', 'start', 'die', 'network disconnect', 'destroy']);
  t.like(api.events.find(({ action }) => action === 'die')?.actor.attributes, { exitCode: '3', image: 'busybox' });
});

test('a stop that is obeyed, and one that is not', async (t) => {
  const api = await startApi(t);
  const obeys = await api.run(obedient);
  await eventually('the trap', async () =>
    (await api.get(`/containers/${obeys}/logs?stdout=1`)).text.includes('ready'),
  );
  await api.post(`/containers/${obeys}/stop?t=30`);
  const withoutNetworks = () => actions(api).filter((action) => !action.startsWith('network'));
  t.deepEqual(withoutNetworks(), ['create', 'start', 'kill', 'die', 'stop']);
  t.deepEqual(killed(api), ['15']);
  const ignores = await api.run(sleeping);
  await api.post(`/containers/${ignores}/stop?t=0`);
  t.deepEqual(withoutNetworks().slice(5), ['create', 'start', 'kill', 'kill', 'die', 'stop']);
  t.deepEqual(killed(api), ['15', '15', '9']);
});

test('a restart', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping);
  await api.post(`/containers/${id}/restart?t=0`);
  const own = actions(api).filter((action) => !action.startsWith('network'));
  t.deepEqual(own, ['create', 'start', 'kill', 'kill', 'die', 'stop', 'start', 'restart']);
});

test('a removal by force, with its volume', async (t) => {
  const api = await startApi(t);
  const id = await api.run({ ...sleeping, Volumes: { '/v': {} } });
  await api.delete(`/containers/${id}?force=1&v=1`);
  t.deepEqual(actions(api), [
    'volume create',
    'create',
    'network connect',
    'volume mount',
    'start',
    'kill',
    'die',
    'network disconnect',
    'volume unmount',
    'destroy',
    'volume destroy',
  ]);
});

test('pause, unpause, rename and update', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping, 'web');
  await api.post(`/containers/${id}/pause`);
  await api.post(`/containers/${id}/unpause`);
  await api.post(`/containers/${id}/rename?name=fresh`);
  await api.post(`/containers/${id}/update`, { RestartPolicy: { Name: 'no' } });
  t.deepEqual(actions(api).slice(-4), ['pause', 'unpause', 'rename', 'update']);
  const renamed = api.events.find(({ action }) => action === 'rename');
  t.like(renamed?.actor.attributes, { oldName: '/web', name: 'fresh' });
});

test('a start that fails publishes its networks and its exit', async (t) => {
  const api = await startApi(t);
  const id = await api.create({ Cmd: ['/no/such'] });
  await api.post(`/containers/${id}/start`);
  t.deepEqual(actions(api), ['create', 'network connect', 'network disconnect', 'die']);
});

test('clients read them from the past and as they come, filtered', async (t) => {
  const api = await startApi(t);
  const { id } = await api.runToEnd({ Cmd: ['true'], Labels: { app: 'x' } }, 'web');
  await api.runToEnd({ Cmd: ['true'] }, 'other');
  const read = async (filters: object): Promise<readonly unknown[]> => {
    const until = Math.floor(Date.now() / 1000) + 1;
    const query = `since=0&until=${until}&filters=${encodeURIComponent(JSON.stringify(filters))}`;
    return (await api.get(`/events?${query}`)).lines().map(({ Action }) => Action);
  };
  const [byName, byLabel, byEvent] = await Promise.all([
    read({ container: ['web'], type: ['container'] }),
    read({ label: ['app=x'], event: ['start', 'die'] }),
    read({ event: ['die'] }),
  ]);
  t.deepEqual(byName, ['create', 'start', 'die']);
  t.deepEqual(byLabel, ['start', 'die']);
  t.deepEqual(byEvent, ['die', 'die']);
  const { body } = await api.open('GET', `/events?filters=${encodeURIComponent(`{"container":["${id}"]}`)}`);
  let heard = '';
  body.on('data', (chunk) => {
    heard += chunk;
  });
  body.on('error', () => undefined);
  await api.delete(`/containers/${id}`);
  await eventually('the removal', () => heard.includes('"Action":"destroy"'));
});
