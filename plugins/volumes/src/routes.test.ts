import { StateDrivers, VolumeDrivers } from '@gantry/core/contracts';
import engineApi from '@gantry/engine-api';
import { state } from '@gantry/memory-drivers';
import { startEngine, type TestOwner } from '@gantry/test-engine';
import test from 'ava';
import volumes from './index.js';
import { VolumeService } from './service.js';
import { FakeVolumes, fakeVolumes } from './testing/fake-volumes.js';

const definitions = () => [engineApi, state, fakeVolumes('local', new FakeVolumes()), volumes];

const start = (t: TestOwner) =>
  startEngine(t, definitions(), {
    config: { defaults: { volume: 'local' } },
  });

interface List {
  readonly Volumes: readonly { readonly Name: string }[];
  readonly Warnings: readonly string[] | null;
}

const create = '/volumes/create';

test('a volume is created, inspected, listed and removed', async (t) => {
  const engine = await start(t);
  const made = await engine.ask('POST', create, { body: { Name: 'data', Labels: { a: '1' } } });
  t.is(made.status, 201);
  t.like(made.json(), {
    Name: 'data',
    Driver: 'local',
    Mountpoint: '/fake/data',
    Labels: { a: '1' },
    Options: null,
    Scope: 'local',
  });
  t.deepEqual((await engine.ask('GET', '/volumes/data')).json(), made.json());
  t.deepEqual((await engine.ask('GET', '/volumes')).json(), { Volumes: [made.json()], Warnings: null });
  const removed = await engine.ask('DELETE', '/volumes/data');
  t.is(removed.status, 204);
  t.is(removed.text, '');
  t.deepEqual(engine.eventSummaries(), ['volume create data', 'volume destroy data']);
});

test('a body is optional, and an empty name is none', async (t) => {
  const engine = await start(t);
  for (const body of [undefined, {}, { Name: '', Driver: '' }]) {
    const answer = await engine.ask('POST', create, { body });
    t.is(answer.status, 201);
    t.regex(String(answer.json().Name), /^[0-9a-f]{64}$/);
  }
});

test('errors of volumes have their status and words', async (t) => {
  const engine = await start(t);
  const refused = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await engine.ask(method, path, { body });
    return [status, json<{ message: string }>().message];
  };
  t.deepEqual(await refused('GET', '/volumes/gone'), [404, 'get gone: no such volume']);
  t.deepEqual(await refused('DELETE', '/volumes/gone'), [404, 'get gone: no such volume']);
  t.is((await refused('POST', create, { Name: 'a b' }))[0], 400);
  t.is((await refused('POST', create, { Name: 'ab', Driver: 'nfs' }))[0], 500);
  t.is((await refused('POST', create, { Name: 'ab', DriverOpts: { size: '1' } }))[0], 400);
  t.deepEqual(await refused('POST', create, { Labels: 3 }), [400, 'Labels: 3 is not a map of string']);
  t.deepEqual(await refused('POST', create, { Name: 'cluster', ClusterVolumeSpec: { Group: 'g' } }), [
    400,
    'ClusterVolumeSpec: this engine has no cluster volumes: {"Group":"g"}',
  ]);
  t.is((await engine.ask('GET', '/volumes/cluster')).status, 404);
  engine.kernel.service(VolumeService).addUsers({ usersOf: () => ['c1'] });
  await engine.ask('POST', create, { body: { Name: 'busy' } });
  t.deepEqual(await refused('DELETE', '/volumes/busy'), [409, 'remove busy: volume is in use - [c1]']);
});

test('the list is filtered by part of the name or driver, by label and by use', async (t) => {
  const engine = await start(t);
  for (const body of [{ Name: 'alpha', Labels: { k: 'v' } }, { Name: 'beta' }])
    await engine.ask('POST', create, { body });
  engine.kernel.service(VolumeService).addUsers({ usersOf: (name) => (name === 'beta' ? ['c1'] : []) });
  const names = async (filters: object) => {
    const answer = await engine.ask('GET', `/volumes?filters=${encodeURIComponent(JSON.stringify(filters))}`);
    return answer.json<List>().Volumes.map(({ Name }) => Name);
  };
  t.deepEqual(await names({ name: ['lph'] }), ['alpha']);
  t.deepEqual(await names({ name: ['lph', 'bet'] }), ['alpha', 'beta']);
  t.deepEqual(await names({ name: ['^a', 'ta$'] }), ['alpha', 'beta']);
  t.deepEqual(await names({ name: ['^lph'] }), []);
  t.deepEqual(await names({ driver: ['oca'] }), ['alpha', 'beta']);
  t.deepEqual(await names({ driver: ['nfs'] }), []);
  t.deepEqual(await names({ label: ['k'] }), ['alpha']);
  t.deepEqual(await names({ label: ['k=w'] }), []);
  t.deepEqual(await names({ dangling: ['true'] }), ['alpha']);
  t.deepEqual(await names({ dangling: ['0'] }), ['beta']);
  const unknown = await engine.ask('GET', `/volumes?filters=${encodeURIComponent('{"nosuch":["x"]}')}`);
  t.is(unknown.status, 400);
});

test('volumes are there after a restart', async (t) => {
  const engine = await start(t);
  const made = await engine.ask('POST', create, { body: { Name: 'data', Labels: { a: '1' } } });
  await engine.restart();
  t.deepEqual((await engine.ask('GET', '/volumes/data')).json(), made.json());
  t.is(engine.kernel.drivers(VolumeDrivers).ids[0], 'local');
});

test('an engine does not start with volumes of a newer one, which finds them as they were', async (t) => {
  const newest = { name: 'volumes', version: 2, parse: (value: unknown) => value };
  const engine = await startEngine(t, [engineApi, state]);
  await engine.kernel.drivers(StateDrivers).get().collection(newest).put('data', { shape: 'of tomorrow' });
  const error = await t.throwsAsync(engine.restart(definitions()));
  t.regex(error?.message ?? '', /collection volumes has records of version 2, and this engine knows up to 1/);
  await engine.restart([engineApi, state]);
  t.deepEqual(engine.kernel.drivers(StateDrivers).get().collection(newest).get('data'), { shape: 'of tomorrow' });
});

test('an update is refused, as there are no cluster volumes', async (t) => {
  const engine = await start(t);
  await engine.ask('POST', create, { body: { Name: 'data' } });
  const answer = await engine.ask('PUT', '/volumes/data?version=1', { body: { Spec: {} } });
  t.is(answer.status, 503);
  t.regex(answer.text, /volume update only valid for cluster volumes/);
});
