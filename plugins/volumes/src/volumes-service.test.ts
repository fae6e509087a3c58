import { driverSet, openDriver } from '@gantry/conformance';
import { EventBus } from '@gantry/core';
import { StateDrivers, VolumeDrivers } from '@gantry/core/contracts';
import { silentLogger } from '@gantry/core/driver';
import { state } from '@gantry/memory-drivers';
import test, { type ExecutionContext } from 'ava';
import { DriverDeadline } from './driver-deadline.js';
import { MountedVolumes } from './mounted-volumes.js';
import { FakeVolumes } from './testing/fake-volumes.js';
import { VolumesService } from './volumes-service.js';

async function openVolumes(t: ExecutionContext, { milliseconds = 50, other = new FakeVolumes() } = {}) {
  const local = new FakeVolumes();
  const opened = await openDriver(state);
  t.teardown(() => opened.release());
  const events = new EventBus();
  const published: string[] = [];
  events.subscribe(({ action, actor }) => published.push(`${action} ${actor.id}`));
  const drivers = driverSet(VolumeDrivers, { local, other });
  const mounted = new MountedVolumes();
  let store = opened;
  const open = (set = drivers, uses = mounted) =>
    new VolumesService(
      driverSet(StateDrivers, { memory: store.driver }),
      set,
      events,
      silentLogger,
      uses,
      new DriverDeadline(milliseconds),
    );
  return {
    local,
    other,
    drivers,
    published,
    mounted,
    events,
    volumes: open(),
    /** The next daemon on what the last one left. */
    async reopen() {
      store = await store.reopen({ crash: true });
      return open();
    },
    /** The next daemon, whose configuration lacks the second driver. */
    async reopenWithoutOther() {
      store = await store.reopen({ crash: true });
      const uses = new MountedVolumes();
      return { volumes: open(driverSet(VolumeDrivers, { local }), uses), mounted: uses };
    },
  };
}

const use = (containerId: string) => ({ containerId, destination: '/d', readWrite: true, propagation: '' });

test('a new volume has its driver, labels, options and time, and is published once', async (t) => {
  const { volumes, published } = await openVolumes(t);
  const request = { name: 'data', options: { color: 'red' }, labels: { a: '1' } };
  const made = await volumes.ensure(request);
  t.like(made, { driver: 'local', mountpoint: '/fake/data', scope: 'local', ...request });
  t.false(Number.isNaN(Date.parse(made.createdAt)));
  t.deepEqual(await volumes.ensure({ name: 'data' }), made);
  t.deepEqual(published, ['create data']);
});

test('a volume without a name gets one of 64 hex digits', async (t) => {
  const { volumes } = await openVolumes(t);
  t.regex((await volumes.ensure({})).name, /^[0-9a-f]{64}$/);
});

test('two requests at once make one volume', async (t) => {
  const { volumes, published } = await openVolumes(t);
  const [one, two] = await Promise.all([volumes.ensure({ name: 'data' }), volumes.ensure({ name: 'data' })]);
  t.deepEqual(one, two);
  t.deepEqual(published, ['create data']);
});

for (const name of ['a b', '../x', '-x', 'a/b', '.x']) {
  test(`the name "${name}" is refused with what is allowed`, async (t) => {
    const { volumes } = await openVolumes(t);
    await t.throwsAsync(volumes.ensure({ name }), { message: /^create .*: ".*" includes invalid characters/ });
  });
}

test('a name of one character is refused', async (t) => {
  const { volumes } = await openVolumes(t);
  await t.throwsAsync(volumes.ensure({ name: 'x' }), { message: /names should be at least two alphanumeric/ });
});

test('an unknown driver is refused by its name', async (t) => {
  const { volumes } = await openVolumes(t);
  const error = await t.throwsAsync(volumes.ensure({ name: 'data', driver: 'nfs' }));
  t.like(error, {
    kind: 'not-implemented',
    message: 'create data: error looking up volume plugin nfs: plugin "nfs" not found',
  });
});

test('an option the driver refuses makes nothing', async (t) => {
  const { volumes, published, local } = await openVolumes(t);
  const error = await t.throwsAsync(volumes.ensure({ name: 'data', options: { size: '1' } }));
  t.like(error, { kind: 'invalid-argument', message: 'create data: invalid option: "size"' });
  t.is(local.volumes.size, 0);
  await t.throwsAsync(volumes.get('data'), { message: 'get data: no such volume' });
  t.deepEqual(published, []);
});

test('a name that another driver has is refused', async (t) => {
  const { volumes } = await openVolumes(t);
  await volumes.ensure({ name: 'data', driver: 'other' });
  const error = await t.throwsAsync(volumes.ensure({ name: 'data', driver: 'local' }));
  t.like(error, { kind: 'conflict' });
  t.regex(error?.message ?? '', /volume name must be unique.*driver other/);
});

test('a volume that a driver made by itself is found without being made', async (t) => {
  const { volumes, other } = await openVolumes(t);
  await other.create('found', {});
  t.like(await volumes.get('found'), { driver: 'other', labels: {}, createdAt: '' });
  t.like(await volumes.ensure({ name: 'found' }), { driver: 'other' });
});

test('a volume whose creation a crash interrupted is made again with what is asked now', async (t) => {
  const { volumes, local, published } = await openVolumes(t);
  await local.create('half', {}); // the driver made it, and no event was published
  t.like(await volumes.ensure({ name: 'half', labels: { a: '1' } }), { labels: { a: '1' } });
  t.deepEqual(published, ['create half']);
});

test('a volume of global scope is created on one of two nodes, and known on both', async (t) => {
  const storage = new FakeVolumes('global');
  const [one, two] = await Promise.all([openVolumes(t, { other: storage }), openVolumes(t, { other: storage })]);
  const request = { name: 'shared', driver: 'other', labels: { a: '1' } };
  t.like(await one.volumes.ensure(request), { scope: 'global', labels: { a: '1' } });
  t.like(await two.volumes.ensure(request), { scope: 'global', labels: { a: '1' } });
  t.deepEqual(storage.created, ['shared']);
  t.deepEqual([one.published, two.published], [['create shared'], []]);
  await one.volumes.remove('shared');
  await t.throwsAsync(two.volumes.get('shared'), { message: 'get shared: no such volume' });
  await two.volumes.ensure(request);
  t.deepEqual(storage.created, ['shared', 'shared']);
});

test('volumes are known to the next daemon', async (t) => {
  const { volumes, reopen } = await openVolumes(t);
  const made = await volumes.ensure({ name: 'data', labels: { a: '1' } });
  t.deepEqual(await (await reopen()).get('data'), made);
});

test('a volume in use is not removed, and the users are named', async (t) => {
  const { volumes, local } = await openVolumes(t);
  await volumes.ensure({ name: 'data' });
  const leave = volumes.addUsers({ usersOf: (name) => (name === 'data' ? ['c1', 'c2'] : []) });
  const error = await t.throwsAsync(volumes.remove('data'));
  t.like(error, { kind: 'conflict', message: 'remove data: volume is in use - [c1, c2]' });
  t.true(local.volumes.has('data'));
  leave();
  await volumes.remove('data');
  t.false(local.volumes.has('data'));
});

test('an absent volume is not found by get, mount and remove', async (t) => {
  const { volumes } = await openVolumes(t);
  for (const work of [volumes.get('gone'), volumes.remove('gone'), volumes.mount('gone', use('c1'))]) {
    t.like(await t.throwsAsync(work), { kind: 'not-found', message: 'get gone: no such volume' });
  }
  await volumes.unmount('gone', use('c1'));
});

test('a removal that ended between driver and record is finished by the next one', async (t) => {
  const { volumes, local, reopen, published } = await openVolumes(t);
  await volumes.ensure({ name: 'data' });
  local.failAfterRemoval = new Error('the daemon ended here');
  await t.throwsAsync(volumes.remove('data'), { message: 'the daemon ended here' });
  const next = await reopen();
  t.like(await t.throwsAsync(next.get('data')), { kind: 'not-found', message: 'get data: no such volume' });
  t.deepEqual((await next.list()).volumes, []);
  await next.remove('data');
  t.deepEqual(published, ['create data', 'destroy data']);
  t.like(await t.throwsAsync(next.remove('data')), { kind: 'not-found' });
});

test('a name whose volume the driver lost can be made anew', async (t) => {
  const { volumes, local } = await openVolumes(t);
  await volumes.ensure({ name: 'data', labels: { old: '1' } });
  local.volumes.delete('data');
  t.like(await volumes.ensure({ name: 'data', labels: { young: '1' } }), { labels: { young: '1' } });
});

test('of a driver that does not answer the volumes on record are published, at once from the second time on', async (t) => {
  const { volumes, other } = await openVolumes(t, { milliseconds: 500 });
  await volumes.ensure({ name: 'one' });
  await volumes.ensure({ name: 'two', driver: 'other' });
  other.hangs = true;
  const { volumes: listed, warnings } = await volumes.list();
  t.deepEqual(
    listed.map(({ name, mountpoint }) => [name, mountpoint]),
    [
      ['one', '/fake/one'],
      ['two', ''],
    ],
  );
  t.deepEqual(warnings, ['volume driver other: no answer within 0.5 s']);
  const began = performance.now();
  for (let time = 0; time < 10; time++) {
    t.deepEqual((await volumes.list()).warnings, warnings);
    t.like(await volumes.get('two'), { driver: 'other', mountpoint: '' });
  }
  t.true(performance.now() - began < 4000);
});

test('a driver that does not answer does not block creating, mounting and removing volumes of others', async (t) => {
  const { volumes, other } = await openVolumes(t);
  other.hangs = true;
  await volumes.ensure({ name: 'data' });
  await volumes.mount('data', use('c1'));
  await volumes.unmount('data', use('c1'));
  await volumes.remove('data');
  t.like(await t.throwsAsync(volumes.get('data')), { kind: 'not-found' });
});

test('where two drivers have a name, the list has the one it was made with', async (t) => {
  const { volumes, other } = await openVolumes(t);
  await volumes.ensure({ name: 'data', labels: { a: '1' } });
  await other.create('data', {});
  const { volumes: listed } = await volumes.list();
  t.is(listed.length, 1);
  t.like(listed[0], { driver: 'local', labels: { a: '1' } });
});

test('mount and unmount events name the container, and a mounted volume cannot be removed', async (t) => {
  const { volumes, events } = await openVolumes(t);
  const attributes: object[] = [];
  await volumes.ensure({ name: 'data' });
  events.subscribe(({ actor }) => attributes.push(actor.attributes));
  t.is(await volumes.mount('data', use('c1')), '/fake/data');
  t.like(await t.throwsAsync(volumes.remove('data')), { kind: 'conflict' });
  await volumes.unmount('data', use('c1'));
  t.deepEqual(attributes, [
    { container: 'c1', destination: '/d', propagation: '', 'read/write': 'true', driver: 'local' },
    { container: 'c1', driver: 'local' },
  ]);
});

test('after a restart volumes of running containers are mounted again, without events', async (t) => {
  const { volumes, local, published, reopen } = await openVolumes(t);
  await volumes.ensure({ name: 'data' });
  const next = await reopen();
  await next.restore([
    { name: 'data', use: use('c1') },
    { name: 'gone', use: use('c2') },
  ]);
  t.deepEqual([...(local.volumes.get('data') ?? [])], ['c1']);
  t.deepEqual(published, ['create data']);
});

test('volumes of a removed driver are listed and inspected as unavailable, and warned of', async (t) => {
  const { volumes, drivers } = await openVolumes(t);
  const leave = drivers.add('managed', new FakeVolumes());
  await volumes.ensure({ name: 'data', driver: 'managed', labels: { a: '1' } });
  leave();
  const { volumes: listed, warnings } = await volumes.list();
  t.deepEqual(warnings, ['volume driver managed: not found']);
  const expected = { name: 'data', driver: 'managed', mountpoint: '', labels: { a: '1' } };
  t.like(listed[0], { ...expected, status: { Unavailable: 'volume driver managed: not found' } });
  t.like(await volumes.get('data'), expected);
  await t.throwsAsync(volumes.mount('data', use('c1')), { message: /managed/ });
  drivers.add('managed', new FakeVolumes());
  t.deepEqual((await volumes.list()).warnings, []);
});

test('a volume that a running container has mounted keeps its driver in use, also when the driver is gone', async (t) => {
  const { volumes, mounted, reopenWithoutOther } = await openVolumes(t);
  await volumes.ensure({ name: 'data', driver: 'other' });
  await volumes.mount('data', use('c1'));
  await volumes.mount('data', use('c2'));
  await volumes.unmount('data', use('c2'));
  const expected = [{ driver: 'volume/other', user: 'volume data of container c1' }];
  t.deepEqual(mounted.driversInUse(), expected);
  const next = await reopenWithoutOther();
  await next.volumes.restore([{ name: 'data', use: use('c1') }]);
  t.deepEqual(next.mounted.driversInUse(), expected);
  t.like(await next.volumes.get('data'), {
    driver: 'other',
    status: { Unavailable: 'volume driver other: not found' },
  });
});
