import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory, openDriver, rejects, removeDirectory } from '@gantry/conformance';
import { identityMappings } from '@gantry/core/contracts';
import { silentLogger } from '@gantry/core/driver';
import { kernelMounts, type Mounts } from '@gantry/lib-linux/mounts';
import test, { type ExecutionContext } from 'ava';
import local from './index.js';
import { LocalVolumes } from './local-volumes.js';
import { VolumeDirectory } from './volume-directory.js';

async function open(t: ExecutionContext) {
  const opened = await openDriver(local);
  t.teardown(() => opened.release());
  return { opened, driver: opened.driver, volumes: join(opened.dirs.root, 'volumes') };
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('directories have the modes that keep users of the host out and containers in', async (t) => {
  const { driver, volumes } = await open(t);
  await driver.create('vol', {});
  t.deepEqual([volumes, join(volumes, 'vol'), join(volumes, 'vol/_data')].map(modeOf), ['701', '701', '755']);
  t.is((await driver.get('vol')).mountpoint, join(volumes, 'vol/_data'));
});

test('refusals are in the words that clients know', async (t) => {
  const { driver } = await open(t);
  const words: readonly [Record<string, string>, RegExp][] = [
    [{ foo: 'bar' }, /^invalid option: "foo"$/],
    [{ type: 'tmpfs' }, /^missing required option: "device"$/],
    [{ device: '/tmp' }, /^missing required option: "type"$/],
    [{ o: 'size=1m' }, /^missing required option: "device"$/],
    [{ type: 'none', o: 'bind', device: 'tmp' }, /device.*absolute path: "tmp"$/],
    [{ o: 'bind', device: '/tmp' }, /^missing required option: "type"$/],
  ];
  for (const [options, message] of words) await rejects(t, driver.create('vol', options), 'invalid-argument', message);
  await rejects(
    t,
    driver.create('a b', {}),
    'invalid-argument',
    /^"a b" includes invalid characters for a local volume name, only "\[a-zA-Z0-9\]\[a-zA-Z0-9_.-\]" are allowed\. If you intended to pass a host directory, use absolute path$/,
  );
  await rejects(t, driver.create('x'.repeat(256), {}), 'invalid-argument', /255/);
  await rejects(t, driver.get('none'), 'not-found', /^get none: no such volume$/);
});

test('a tmpfs is mounted for the first user with its options, and unmounted after the last', async (t) => {
  const { driver } = await open(t);
  await driver.create('vol', { type: 'tmpfs', device: 'tmpfs', o: 'size=1m,uid=5,nosuid,ro' });
  const path = await driver.mount('vol', 'one');
  await driver.mount('vol', 'two');
  const entries = (await kernelMounts.list()).filter(({ target }) => target === path);
  t.is(entries.length, 1);
  t.is(entries[0]?.type, 'tmpfs');
  t.true(entries[0]?.options.includes('nosuid') && entries[0].options.includes('ro'));
  t.true(entries[0]?.superOptions.includes('uid=5') && entries[0].superOptions.includes('size=1024k'));
  await driver.unmount('vol', 'one');
  t.true(await kernelMounts.isMountPoint(path));
  await driver.unmount('vol', 'two');
  t.false(await kernelMounts.isMountPoint(path));
});

test('a bind shows another directory, and removing the volume leaves that alone', async (t) => {
  const { driver } = await open(t);
  const elsewhere = await freshDirectory();
  t.teardown(() => removeDirectory(elsewhere));
  writeFileSync(join(elsewhere, 'file'), 'content');
  await driver.create('vol', { type: 'none', device: elsewhere, o: 'bind' });
  const path = await driver.mount('vol', 'user');
  t.is(readFileSync(join(path, 'file'), 'utf8'), 'content');
  await driver.unmount('vol', 'user');
  t.false(existsSync(join(path, 'file')));
  await driver.remove('vol');
  t.is(readFileSync(join(elsewhere, 'file'), 'utf8'), 'content');
});

test('removing what an earlier daemon left mounted unmounts it, and deletes nothing of it', async (t) => {
  const { opened, driver } = await open(t);
  const elsewhere = await freshDirectory();
  t.teardown(() => removeDirectory(elsewhere));
  writeFileSync(join(elsewhere, 'file'), 'content');
  await driver.create('vol', { type: 'none', device: elsewhere, o: 'bind' });
  const path = await driver.mount('vol', 'user');
  mkdirSync(join(path, 'deeper'));
  await kernelMounts.mount({ source: 'tmpfs', target: join(path, 'deeper'), type: 'tmpfs' });
  const after = await opened.reopen({ crash: true });
  await after.driver.remove('vol');
  t.false(existsSync(path));
  t.is(readFileSync(join(elsewhere, 'file'), 'utf8'), 'content');
});

test('a failed mount is reported with the reason, and may succeed later', async (t) => {
  const { driver } = await open(t);
  const elsewhere = await freshDirectory();
  t.teardown(() => removeDirectory(elsewhere));
  const source = join(elsewhere, 'source');
  await driver.create('vol', { type: 'none', device: source, o: 'bind' });
  const { mountpoint } = await driver.get('vol');
  const error = await rejects(t, driver.mount('vol', 'user'), 'unavailable');
  t.is(
    error.message,
    `error while mounting volume '${mountpoint}': failed to mount local volume: mount ${source}:${mountpoint}: no such file or directory`,
  );
  mkdirSync(source);
  await driver.mount('vol', 'user');
  await driver.unmount('vol', 'user');
  await driver.create('odd', { type: 'nosuch', device: 'x' });
  await rejects(t, driver.mount('odd', 'user'), 'unavailable', /: no such device/);
  await driver.remove('odd');
});

test('a volume of the network names the address that cannot be resolved, and the file system the kernel lacks', async (t) => {
  const { driver } = await open(t);
  await driver.create('away', { type: 'nfs', device: ':/exports', o: 'addr=no-such-host.invalid,rw' });
  await rejects(
    t,
    driver.mount('away', 'user'),
    'unavailable',
    /error resolving passed in network volume address: lookup no-such-host\.invalid: /,
  );
  await driver.create('lacking', { type: 'nosuchfs', device: 'server:/x' });
  await rejects(
    t,
    driver.mount('lacking', 'user'),
    'unavailable',
    /no such device: this kernel has no file system "nosuchfs"/,
  );
});

test('what a crash left half made or half removed is gone after the next start', async (t) => {
  const { opened, driver, volumes } = await open(t);
  await driver.create('vol', {});
  for (const name of ['.new-0123', '.removed-4567']) {
    mkdirSync(join(volumes, name, '_data'), { recursive: true });
    writeFileSync(join(volumes, name, '_data/file'), 'x');
  }
  t.deepEqual(
    (await driver.list()).map(({ name }) => name),
    ['vol'],
  );
  await opened.reopen({ crash: true });
  t.deepEqual(readdirSync(volumes), ['vol']);
});

test('a volume whose options are damaged is listed, and says so when it is mounted', async (t) => {
  const { opened, driver, volumes } = await open(t);
  await driver.create('vol', { type: 'tmpfs', device: 'tmpfs' });
  writeFileSync(join(volumes, 'vol/options.json'), '{"type":');
  const after = await opened.reopen({ crash: true });
  t.is((await after.driver.list()).length, 1);
  await rejects(t, after.driver.mount('vol', 'user'), 'unavailable', /options of volume vol cannot be read/);
  await after.driver.remove('vol');
});

test('usage counts a file with two names once, and nothing that is mounted inside', async (t) => {
  const { driver } = await open(t);
  await driver.create('vol', {});
  const path = await driver.mount('vol', 'user');
  mkdirSync(join(path, 'a/b'), { recursive: true });
  writeFileSync(join(path, 'a/b/file'), Buffer.alloc(500_000, 1));
  linkSync(join(path, 'a/b/file'), join(path, 'link'));
  mkdirSync(join(path, 'other'));
  await kernelMounts.mount({ source: 'tmpfs', target: join(path, 'other'), type: 'tmpfs' });
  writeFileSync(join(path, 'other/file'), Buffer.alloc(900_000, 1));
  const used = await driver.usage?.('vol');
  await kernelMounts.unmount(join(path, 'other'));
  t.true(used !== undefined && used >= 500_000 && used < 600_000, String(used));
  await driver.unmount('vol', 'user');
});

test('a mount whose server does not answer is detached when its container exits or the volume is removed', async (t) => {
  const root = await freshDirectory();
  const hanging: Mounts = {
    ...kernelMounts,
    unmount: () => new Promise(() => undefined),
    unmountTree: (path, options) =>
      options?.detach === 'always' ? kernelMounts.unmountTree(path, options) : new Promise(() => undefined),
  };
  const driver = new LocalVolumes(
    new VolumeDirectory({ root: root, state: root }, identityMappings),
    hanging,
    silentLogger,
    {
      mountSeconds: 2, // real mounts have to be made in that time, too
    },
  );
  // A timer alone does not keep the process alive.
  const awake = setInterval(() => undefined, 1000);
  t.teardown(async () => {
    clearInterval(awake);
    await kernelMounts.unmountTree(root, { detach: 'always' });
    await removeDirectory(root);
  });
  await driver.start();
  await driver.create('vol', { type: 'tmpfs', device: 'tmpfs' });
  const path = await driver.mount('vol', 'one');
  await driver.unmount('vol', 'one');
  t.false(await kernelMounts.isMountPoint(path));
  await driver.mount('vol', 'two');
  const next = new LocalVolumes(
    new VolumeDirectory({ root: root, state: root }, identityMappings),
    hanging,
    silentLogger,
    {
      mountSeconds: 2,
    },
  );
  await next.remove('vol');
  t.false(existsSync(path));
});

test('the content of volumes of remapped containers belongs to their root', async (t) => {
  const range = [{ containerID: 0, hostID: 100_000, size: 65_536 }];
  const opened = await openDriver(local, { idMappings: { uids: range, gids: range } });
  t.teardown(() => opened.release());
  await opened.driver.create('vol', {});
  const path = await opened.driver.mount('vol', 'user');
  const owner = () => [statSync(path).uid, statSync(path).gid];
  t.deepEqual(owner(), [100_000, 100_000]);
  await opened.driver.unmount('vol', 'user');
  // An operator has deleted it.
  rmSync(path, { recursive: true });
  await opened.driver.mount('vol', 'user');
  t.deepEqual(owner(), [100_000, 100_000]);
  await opened.driver.unmount('vol', 'user');
});
