import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import engineApi from '@gantry/engine-api';
import { FakePlugin, type Method } from '@gantry/lib-plugin-protocol/testing';
import { ipam, log, network, state, volume } from '@gantry/memory-drivers';
import { eventually, startEngine } from '@gantry/test-engine';
import volumes from '@gantry/volumes';
import test, { type ExecutionContext } from 'ava';
import externalPlugins from '../index.js';

/** A volume plugin that keeps names. */
function volumeMethods(): Record<string, Method> {
  const names = new Set<string>();
  const volume = (name: unknown) => ({ Name: name, Mountpoint: `/mnt/${name}` });
  return {
    'Plugin.Activate': () => ({ Implements: ['VolumeDriver', 'Unknown'] }),
    'VolumeDriver.Capabilities': () => ({ Capabilities: { Scope: 'global' } }),
    'VolumeDriver.Create': ({ Name }) => void names.add(String(Name)),
    'VolumeDriver.Remove': ({ Name }) => void names.delete(String(Name)),
    'VolumeDriver.List': () => ({ Volumes: [...names].map(volume) }),
    'VolumeDriver.Get': ({ Name }) => {
      if (!names.has(String(Name))) throw new Error('no such volume');
      return { Volume: volume(Name) };
    },
  };
}

async function start(t: ExecutionContext) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-found-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const [sockets, specs] = [path.join(directory, 'run'), path.join(directory, 'etc')] as const;
  await Promise.all([mkdir(sockets), mkdir(specs)]);
  const run = async (socketPath?: string) => {
    const plugin = await FakePlugin.start(volumeMethods(), socketPath);
    t.teardown(() => plugin.stop());
    return plugin;
  };
  const open = (lookupSeconds = 1) =>
    startEngine(t, [engineApi, state, volume, network, ipam, log, volumes, externalPlugins], {
      plugins: {
        'external-plugins': {
          socketDirectories: [sockets],
          specDirectories: [specs],
          startPatienceSeconds: 1,
          lookupSeconds,
        },
      },
    });
  return { sockets, specs, run, open };
}

type Engine = Awaited<ReturnType<Awaited<ReturnType<typeof start>>['open']>>;
const create = (engine: Engine, Driver: string) =>
  engine.ask('POST', '/volumes/create', { body: { Name: 'data', Driver } });

test('a plugin whose socket exists is a volume driver', async (t) => {
  const { open, run, sockets } = await start(t);
  const plugin = await run(path.join(sockets, 'vol.sock'));
  const engine = await open();
  const answer = await create(engine, 'vol');
  t.is(answer.status, 201);
  t.like(answer.json(), { Name: 'data', Driver: 'vol', Mountpoint: '/mnt/data', Scope: 'global' });
  t.like((await engine.ask('GET', '/volumes')).json(), { Warnings: null });
  t.is((await engine.ask('DELETE', '/volumes/data')).status, 204);
  t.is((await engine.ask('GET', '/volumes/data')).status, 404);
  t.deepEqual(plugin.asked('VolumeDriver.Create'), [{ Name: 'data', Opts: {} }]);
});

test('a plugin that appears later joins, and leaves when its socket is gone', async (t) => {
  const { open, run, sockets } = await start(t);
  const engine = await open();
  t.is((await create(engine, 'late')).status, 500);
  await mkdir(path.join(sockets, 'late'));
  const plugin = await run(path.join(sockets, 'late', 'late.sock'));
  await eventually('the plugin has joined', async () => (await create(engine, 'late')).status === 201);
  t.is((await engine.ask('DELETE', '/volumes/data')).status, 204);
  await plugin.stop();
  await eventually('the plugin has left', async () => (await create(engine, 'late')).status === 500);
});

test('plugins are found by address files', async (t) => {
  const { open, run, specs } = await start(t);
  const plugin = await run();
  await writeFile(path.join(specs, 'one.spec'), `unix://${plugin.socketPath}\n`);
  await writeFile(path.join(specs, 'two.json'), JSON.stringify({ Name: 'x', Addr: `unix://${plugin.socketPath}` }));
  await writeFile(path.join(specs, 'bad.json'), '{');
  const engine = await open();
  t.is((await create(engine, 'one')).status, 201);
  t.is((await engine.ask('DELETE', '/volumes/data')).status, 204);
  t.is((await create(engine, 'two')).status, 201);
});

test('a plugin that hangs delays the start no longer than configured', async (t) => {
  const { open, sockets } = await start(t);
  const mute = createServer((socket) => socket.unref());
  await new Promise<void>((resolve) => mute.listen(path.join(sockets, 'mute.sock'), resolve));
  t.teardown(() => mute.close());
  const began = performance.now();
  const engine = await open();
  t.true(performance.now() - began < 5000);
  t.is((await engine.ask('GET', '/volumes')).status, 200);
});

test('the first request finds a plugin whose file has just appeared, and an unknown one is refused at once', async (t) => {
  const { open, run, specs } = await start(t);
  const engine = await open(600);
  t.is((await create(engine, 'unknown')).status, 500);
  const plugin = await run();
  await writeFile(path.join(specs, 'fresh.spec'), `unix://${plugin.socketPath}\n`);
  t.is((await create(engine, 'fresh')).status, 201);
});

test('a request waits for a plugin that is down for a moment', async (t) => {
  const { open, run, sockets, specs } = await start(t);
  const socketPath = path.join(sockets, 'vol.sock');
  const first = await run(socketPath);
  const engine = await open(60);
  t.is((await create(engine, 'vol')).status, 201);
  await first.stop();
  await eventually('the plugin has left', async () =>
    (await engine.ask('GET', '/volumes')).text.includes('Unavailable'),
  );
  const removed = engine.ask('DELETE', '/volumes/data');
  await run(socketPath);
  t.is((await removed).status, 204);

  // With an address file, nothing listens there yet.
  const late = path.join(sockets, '..', 'late.sock');
  await writeFile(path.join(specs, 'late.spec'), `unix://${late}\n`);
  const created = create(engine, 'late');
  await run(late);
  t.is((await created).status, 201);
});

test('a plugin that does not speak the protocol is refused without retries', async (t) => {
  const { open, run, specs } = await start(t);
  const engine = await open(600);
  const plugin = await run();
  plugin.methods['Plugin.Activate'] = () => ({ Implements: 'all' });
  await writeFile(path.join(specs, 'odd.spec'), `unix://${plugin.socketPath}\n`);
  t.is((await create(engine, 'odd')).status, 500);
});

test('a plugin that restarts is asked for its capabilities again, also while it is in use', async (t) => {
  const { open, run, sockets } = await start(t);
  const socketPath = path.join(sockets, 'vol.sock');
  const first = await run(socketPath);
  first.methods['VolumeDriver.Capabilities'] = () => ({ Capabilities: { Scope: 'local' } });
  const engine = await open();
  t.like((await create(engine, 'vol')).json(), { Scope: 'local' });
  await first.stop();
  const second = await run(socketPath); // before it could have been found missing
  await eventually('the capabilities are queried', async () => second.asked('VolumeDriver.Capabilities').length === 1);
  second.methods['VolumeDriver.Get'] = ({ Name }) => ({ Volume: { Name } });
  await eventually('the other scope', async () => {
    return (await engine.ask('GET', '/volumes/data')).json().Scope === 'global';
  });
});
