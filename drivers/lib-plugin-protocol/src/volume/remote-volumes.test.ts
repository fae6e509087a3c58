import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { PluginClient } from '../client/plugin-client.js';
import { FakePlugin } from '../testing/fake-plugin.js';
import { confinedPaths } from './plugin-paths.js';
import { RemoteVolumes } from './remote-volumes.js';

test('a volume is mounted once per user, and not removed while mounted', async (t) => {
  const plugin = await FakePlugin.start({
    'VolumeDriver.Mount': () => ({ Mountpoint: '/mnt/a' }),
    'VolumeDriver.Unmount': () => ({}),
    'VolumeDriver.Remove': () => ({}),
  });
  t.teardown(() => plugin.stop());
  const volumes = new RemoteVolumes(new PluginClient('p', plugin));
  t.is(await volumes.mount('a', 'one'), '/mnt/a');
  t.is(await volumes.mount('a', 'one'), '/mnt/a');
  await volumes.mount('a', 'two');
  t.deepEqual(plugin.asked('VolumeDriver.Mount'), [
    { Name: 'a', ID: 'one' },
    { Name: 'a', ID: 'two' },
  ]);
  await volumes.unmount('a', 'one');
  t.deepEqual(volumes.uses, ['volume a by two']);
  await t.throwsAsync(volumes.remove('a'), { message: 'remove a: volume is in use - [two]' });
  await volumes.unmount('a', 'two');
  await volumes.remove('a');
  t.is(volumes.uses.length, 0);
});

test('an absent volume is not-found whatever the plugin answers, and other errors stay', async (t) => {
  let words = 'volume "a" does not exist';
  const plugin = await FakePlugin.start({
    'VolumeDriver.Get': () => ({ Err: words }),
    'VolumeDriver.Capabilities': () => ({ Err: 'what?' }),
  });
  t.teardown(() => plugin.stop());
  const volumes = new RemoteVolumes(new PluginClient('p', plugin));
  await t.throwsAsync(volumes.get('a'), { message: 'get a: no such volume' });
  words = 'disk on fire';
  await t.throwsAsync(volumes.get('a'), { message: 'VolumeDriver.Get: disk on fire' });
  await volumes.loadCapabilities();
  t.is(volumes.capabilities.scope, 'local');
});

test('paths of a plugin with its own root file system stay inside it', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-paths-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const [root, host] = [path.join(directory, 'rootfs'), path.join(directory, 'propagated')] as const;
  await Promise.all([
    mkdir(path.join(root, 'data'), { recursive: true }),
    mkdir(path.join(host, 'v'), { recursive: true }),
  ]);
  await symlink('/etc', path.join(root, 'out'));
  const paths = confinedPaths(root, { inside: '/mnt', host });
  t.is(paths.toHost('/data'), path.join(root, 'data'));
  t.is(paths.toHost('/../../etc'), path.join(root, 'etc'));
  t.is(paths.toHost('/mnt'), host);
  t.is(paths.toHost('/mnt/v'), path.join(host, 'v'));
  t.is(paths.toHost('/mntx'), path.join(root, 'mntx'));
  await paths.verify(paths.toHost('/data'));
  await paths.verify(paths.toHost('/mnt/v'));
  await t.throwsAsync(paths.verify(paths.toHost('/out')), { message: /leads out of the plugin's files/ });

  const plugin = await FakePlugin.start({ 'VolumeDriver.Mount': () => ({ Mountpoint: '/out' }) });
  t.teardown(() => plugin.stop());
  const volumes = new RemoteVolumes(new PluginClient('p', plugin), paths);
  await t.throwsAsync(volumes.mount('a', 'one'), { message: /leads out/ });
});
