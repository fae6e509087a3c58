import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import { LogDrivers } from '../contracts/log.js';
import { VolumeDrivers } from '../contracts/volume.js';
import { definePlugin } from './definitions/plugin.js';
import type { DriverLifecycle, ReplacedDriver } from './hooks/driver-lifecycle.js';
import { Kernel } from './kernel.js';
import { writeDriver } from './testing/write-driver.js';

/** A kernel with a plugin of these hooks, and a way to write packages and reload with them. */
async function start(t: ExecutionContext, { hooks = {}, more = {} }: { hooks?: DriverLifecycle; more?: object } = {}) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-live-'));
  const user = definePlugin({ id: 'user', configSchema: Type.Object({}), setup: () => hooks });
  const config = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run'), ...more };
  const kernel = new Kernel({ config, use: [user], from: directory });
  t.teardown(async () => {
    await kernel.stop();
    await rm(directory, { recursive: true, force: true });
  });
  await kernel.start();
  return {
    kernel,
    config,
    write: (name: string, text?: Parameters<typeof writeDriver>[1]) => writeDriver(path.join(directory, name), text),
    reload: (extraPackages: readonly string[], drivers = {}, options = {}) =>
      kernel.reload({ ...config, extraPackages, drivers }, options),
    volumes: kernel.drivers(VolumeDrivers),
    answer: async () => (await kernel.drivers(VolumeDrivers).get('loud').list())[0]?.name,
  };
}

const changed = (change: object) => ({ joined: [], replaced: [], left: [], applied: [], waiting: [], ...change });

test('a package that the configuration has gained joins, and one that it has lost leaves', async (t) => {
  const { write, reload, volumes, answer, kernel } = await start(t);
  await write('a', { members: 'ready: async () => { globalThis.loudReady = context.config.words; },' });
  const joined = await reload(['./a'], { 'volume/loud': { words: 'hello' } });
  t.deepEqual(joined, changed({ joined: ['volume/loud'] }));
  t.is(await answer(), '1.0.0');
  t.is((globalThis as { loudReady?: string }).loudReady, 'hello');
  t.true(kernel.statuses().some(({ name, state }) => name === 'volume/loud' && state === 'ready'));
  t.deepEqual(kernel.configuredDrivers(), ['volume/loud']);
  t.deepEqual(await reload(['./a'], { 'volume/loud': { words: 'hello' } }), changed({}));
  t.deepEqual(await reload([]), changed({ left: ['volume/loud'] }));
  t.false(volumes.has('loud'));
  t.deepEqual(
    kernel.statuses().map(({ name }) => name),
    ['user'],
  );
});

test('another version takes over from the one in use, and no call is refused or reaches a version that has stopped', async (t) => {
  const { write, reload, volumes } = await start(t);
  await write('v0', { version: '0.0.0' });
  await reload(['./v0']);
  const driver = volumes.get('loud');
  const answers = new Set<string>();
  let calls = 0;
  let isOver = false;
  const load = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      answers.add((await driver.list())[0]?.name ?? '');
      calls += 1;
    }
  });
  for (let swap = 1; swap <= 10; swap += 1) {
    await write(`v${swap}`, { version: `${swap}.0.0` });
    t.deepEqual(await reload([`./v${swap}`]), changed({ replaced: ['volume/loud'] }));
    t.is((await driver.list())[0]?.name, `${swap}.0.0`);
  }
  isOver = true;
  await Promise.all(load);
  t.is(answers.size, 11);
  t.true(calls > 100, `${calls} calls`);
  t.is(volumes.get('loud'), driver, 'users keep what they have');
});

test('packages repeat on the newer version what they asked of the older one, before other calls reach it', async (t) => {
  const replaced: ReplacedDriver[] = [];
  const order: string[] = [];
  const driverReplaced = async (each: ReplacedDriver) => {
    replaced.push(each);
    await tick();
    order.push('repeated');
  };
  const { write, reload, volumes } = await start(t, { hooks: { driverReplaced } });
  await write('a');
  await write('b', { version: '2.0.0', members: 'async start() { await tick(); globalThis.loudStarted?.(); },' });
  await reload(['./a']);
  const started = new Promise<void>((resolve) => {
    (globalThis as { loudStarted?: () => void }).loudStarted = resolve;
  });
  const reloading = reload(['./b']);
  await started;
  const [{ name } = { name: '' }] = await volumes.get('loud').list();
  order.push('called');
  await reloading;
  t.is(name, '2.0.0');
  t.deepEqual(order, ['repeated', 'called']);
  t.is(replaced[0]?.name, 'volume/loud');
  t.not(replaced[0]?.driver, volumes.get('loud'), 'calls of the hook do not wait for the takeover');
});

for (const [what, text, message] of [
  ['cannot be created', { create: "throw new Error('no clapper');" }, /volume\/loud cannot start: no clapper/],
  ['lacks a method', { members: 'mount: undefined,' }, /volume\/loud does not implement volume\/1\.0: it lacks mount/],
  ['fails at its start', { members: "async start() { throw new Error('no'); }," }, /volume\/loud cannot .*: no$/],
] as const) {
  test(`the older version answers as before when the newer one ${what}`, async (t) => {
    const repeated: string[] = [];
    const driverReplaced = async ({ driver }: ReplacedDriver) => {
      repeated.push(((await (driver as { list(): Promise<{ name: string }[]> }).list())[0] ?? { name: '' }).name);
    };
    const { write, reload, answer } = await start(t, { hooks: { driverReplaced } });
    await write('a');
    await write('b', { version: '2.0.0', ...text });
    await reload(['./a']);
    await t.throwsAsync(reload(['./b']), { message });
    t.is(await answer(), '1.0.0');
    t.deepEqual(
      repeated,
      what === 'fails at its start' ? ['1.0.0'] : [],
      'it was started again, and packages repeated what they had asked',
    );
    t.deepEqual(await reload(['./a']), changed({}));
  });
}

test('a package that cannot repeat what it asked makes the older version return', async (t) => {
  const driverReplaced = async ({ driver }: ReplacedDriver) => {
    const [{ name } = { name: '' }] = await (driver as { list(): Promise<{ name: string }[]> }).list();
    if (name === '2.0.0') throw new Error('a mount is refused');
  };
  const { write, reload, answer, kernel } = await start(t, { hooks: { driverReplaced } });
  await write('a');
  await write('b', { version: '2.0.0' });
  await reload(['./a']);
  await t.throwsAsync(reload(['./b']), { message: 'volume/loud cannot take over: a mount is refused' });
  t.is(await answer(), '1.0.0');
  t.is(kernel.statuses().find(({ name }) => name === 'volume/loud')?.version, '1.0.0');
});

test('a call that does not end keeps the older version, which is said with its name', async (t) => {
  const { write, reload, volumes } = await start(t, { more: { stopTimeoutSeconds: 1 } });
  await write('a', { members: 'mount: () => new Promise((resolve) => { globalThis.loudMounted = resolve; }),' });
  await write('b', { version: '2.0.0' });
  await reload(['./a']);
  const mounting = volumes.get('loud').mount('v', 'user');
  await t.throwsAsync(reload(['./b']), {
    message: 'volume/loud: calls have not ended within 1 s (1 of mount); nothing was changed',
  });
  (globalThis as { loudMounted?: (path: string) => void }).loudMounted?.('/there');
  t.is(await mounting, '/there');
  t.deepEqual(await reload(['./b']), changed({ replaced: ['volume/loud'] }));
});

test('versions that may overlap do: what is read goes on, and the older one stops after it', async (t) => {
  const { write, reload, kernel } = await start(t);
  await write('a', { kind: 'log' });
  await write('b', { kind: 'log', version: '2.0.0' });
  await reload(['./a']);
  const driver = kernel.drivers(LogDrivers).get('loud');
  const pages = driver.read?.({} as never, {} as never)[Symbol.asyncIterator]() as AsyncIterator<unknown>;
  t.is((await pages.next()).value, '1.0.0');
  t.deepEqual(await reload(['./b']), changed({ replaced: ['log/loud'] }));
  t.is(driver.path({} as never), '2.0.0');
  t.is((await pages.next()).value, '1.0.0');
  t.is((await pages.next()).value, '1.0.0');
  t.true((await pages.next()).done);
  t.deepEqual(await reload([]), changed({ left: ['log/loud'] }));
});

test('a driver does not leave while something uses it, which is named', async (t) => {
  let users = ['volume data of container c1'];
  const driversInUse = () => users.map((user) => ({ driver: 'volume/loud', user }));
  const driverReferences = () => (users.length > 0 ? [{ driver: 'volume/loud', user: 'volume data' }] : []);
  const { write, reload, answer } = await start(t, { hooks: { driversInUse, driverReferences } });
  await write('a');
  await reload(['./a']);
  await t.throwsAsync(reload([]), {
    message: 'volume/loud is in use by volume data of container c1, volume data; remove what uses it first',
  });
  t.is(await answer(), '1.0.0');
  users = [];
  t.deepEqual(await reload([]), changed({ left: ['volume/loud'] }));
});

test('what would change the default driver of a kind needs a restart, in both directions', async (t) => {
  const { write, reload } = await start(t, { more: { defaults: { volume: ['loud', 'quiet'] } } });
  await write('a');
  await t.notThrowsAsync(reload(['./a']), 'there is none yet');
  await t.notThrowsAsync(reload([]), 'it is the only one');
});

test('drivers of other kinds join at once, and wait for the next start to be replaced or to leave', async (t) => {
  const { write, reload } = await start(t);
  await write('a', { kind: 'ipam' });
  await write('b', { kind: 'ipam', version: '2.0.0' });
  t.deepEqual(await reload(['./a']), changed({ joined: ['ipam/loud'] }));
  t.deepEqual(await reload(['./b']), changed({ waiting: ['ipam/loud'] }));
  t.deepEqual(await reload(['./b']), changed({ waiting: ['ipam/loud'] }), 'it is said each time');
  t.deepEqual(await reload([]), changed({ waiting: ['ipam/loud'] }));
  await t.throwsAsync(reload([], {}, { isImmediate: true }), {
    message: 'ipam/loud: it leaves only when the daemon starts',
  });
});

test('all of a reload holds, or nothing: what joined leaves again when something else cannot', async (t) => {
  const { write, reload, volumes, kernel } = await start(t);
  await write('a');
  await write('b', { kind: 'log', members: "async start() { throw new Error('no'); }," });
  await t.throwsAsync(reload(['./a', './b']), { message: 'log/loud cannot start: no' });
  t.false(volumes.has('loud'));
  const order: string[] = [];
  const commit = async () => {
    order.push(volumes.has('loud') ? 'joined first' : 'not joined');
    return async () => void order.push('revoked');
  };
  await t.throwsAsync(
    reload(['./a'], {}, { commit: () => commit().then(() => Promise.reject(new Error('the disk is full'))) }),
    { message: 'the disk is full' },
  );
  t.false(volumes.has('loud'));
  await reload(['./a'], {}, { commit });
  await write('c', { version: '2.0.0', members: "async start() { throw new Error('no'); }," });
  await t.throwsAsync(reload(['./c'], {}, { commit }));
  t.deepEqual(order, ['joined first', 'joined first', 'joined first', 'revoked']);
  t.deepEqual(kernel.configuredDrivers(), ['volume/loud']);
  for (const drivers of [{ 'volume/loud': { word: 1 } }, { 'volume/absent': {} }]) {
    await t.throwsAsync(reload(['./a'], drivers), { message: /config\.drivers/ });
  }
});
