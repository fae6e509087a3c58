import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { identityMappings } from '@gantry/core/contracts';
import { silentLogger } from '@gantry/core/driver';
import { kernelFiles as files } from '@gantry/lib-linux/files';
import { kernelMounts as mounts } from '@gantry/lib-linux/mounts';
import test, { type ExecutionContext } from 'ava';
import type { MountPoint } from '../record.js';
import { MountPins } from './mount-pins.js';

/** A volume with directories `a/b` and files, beside a directory that is not part of it. */
async function open(t: ExecutionContext, mappings = identityMappings) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-pins-'));
  t.teardown(async () => {
    await mounts.unmountTree(directory, { detach: 'always' });
    await rm(directory, { recursive: true });
  });
  const volume = path.join(directory, 'volume');
  const state = path.join(directory, 'state');
  for (const place of [path.join(volume, 'a/b'), path.join(directory, 'outside'), state]) {
    await mkdir(place, { recursive: true });
  }
  await writeFile(path.join(volume, 'a/b/inner'), 'inner');
  await writeFile(path.join(volume, 'file'), 'file');
  await writeFile(path.join(directory, 'outside/secret'), 'secret');
  const pins = new MountPins({ state }, files, mounts, mappings, silentLogger);
  const mount: MountPoint = {
    type: 'volume',
    name: 'v',
    source: volume,
    destination: '/m',
    mode: '',
    readWrite: true,
    propagation: '',
    anonymous: false,
    copyUp: false,
  };
  return {
    directory,
    volume,
    pins,
    pin: (more: Partial<MountPoint>) => pins.pin([{ mount: { ...mount, ...more }, hostPath: volume }]),
    left: () => readdir(path.join(state, 'pins')).catch(() => []),
  };
}

test('a mount without a subpath stays as it is', async (t) => {
  const { left, pin, volume } = await open(t);
  const { mounts: ready } = await pin({});
  t.like(ready, [{ hostPath: volume, pin: undefined }]);
  t.deepEqual(await left(), []);
});

test('a directory and a file of a volume are mounted, through links inside of it, until they are released', async (t) => {
  const { left, pin, volume } = await open(t);
  await symlink('a/b', path.join(volume, 'link'));
  for (const subpath of ['a/b', 'link', './a/../a/b']) {
    const { mounts: ready, release } = await pin({ subpath });
    t.is(await readFile(path.join(ready[0]?.pin ?? '', 'inner'), 'utf8'), 'inner', subpath);
    t.false(ready[0]?.isFile);
    await release();
    t.deepEqual(await left(), []);
  }
  const { mounts: ready, release } = await pin({ subpath: 'file' });
  t.is(await readFile(ready[0]?.pin ?? '', 'utf8'), 'file');
  t.true(ready[0]?.isFile);
  await release();
  t.deepEqual(await left(), []);
  t.is(await readFile(path.join(volume, 'file'), 'utf8'), 'file');
});

test('the root of remapped containers reaches what is pinned, and no other user', async (t) => {
  const ids = [{ containerID: 0, hostID: 300_000, size: 65_536 }];
  const { directory, pin } = await open(t, { uids: ids, gids: ids });
  const { release } = await pin({ subpath: 'a/b' });
  const { gid, mode } = await stat(path.join(directory, 'state/pins'));
  t.is(gid, 300_000);
  t.is(mode & 0o777, 0o710);
  await release();
});

test('a link that leads outside of the volume is refused, wherever it is on the path', async (t) => {
  const { directory, left, pin, volume } = await open(t);
  await symlink(path.join(directory, 'outside'), path.join(volume, 'absolute'));
  await symlink('../outside', path.join(volume, 'up'));
  await symlink('../../../outside', path.join(volume, 'a/b/deep'));
  for (const subpath of ['absolute', 'up', 'a/b/deep', 'absolute/secret', 'up/secret']) {
    await t.throwsAsync(pin({ subpath }), {
      message: `path concatenation escapes the base directory, base: ${volume}, subpath: ${subpath}`,
    });
  }
  await t.throwsAsync(pin({ subpath: 'a/nosuch' }), { message: /^cannot access path .*a\/nosuch: no such file/ });
  t.deepEqual(await left(), []);
});

test('what is mounted stays when the path is exchanged for a link afterwards', async (t) => {
  const { directory, pin, volume } = await open(t);
  const { mounts: ready, release } = await pin({ subpath: 'a' });
  await rename(path.join(volume, 'a'), path.join(volume, 'moved'));
  await symlink(path.join(directory, 'outside'), path.join(volume, 'a'));
  t.deepEqual(await readdir(ready[0]?.pin ?? ''), ['b']);
  await release();
  await t.throwsAsync(pin({ subpath: 'a' }), { message: /escapes the base directory/ });
});

test('a bind that is not recursive lacks what is mounted below its source', async (t) => {
  const { pin, volume } = await open(t);
  await mounts.mount({ source: 'x', target: path.join(volume, 'a'), type: 'tmpfs' });
  const { mounts: ready, release } = await pin({ type: 'bind', nonRecursive: true });
  t.deepEqual(await readdir(path.join(ready[0]?.pin ?? '', 'a')), ['b']);
  t.deepEqual(await readdir(path.join(volume, 'a')), []);
  await release();
});

test('what an earlier daemon left mounted is unmounted, and what it showed stays', async (t) => {
  const { left, pin, pins, volume } = await open(t);
  await pin({ subpath: 'a' });
  await pin({ subpath: 'file' });
  const orphans = await pins.orphans();
  t.is(orphans.length, 2);
  for (const { remove } of orphans) await remove();
  t.deepEqual(await left(), []);
  t.is(await readFile(path.join(volume, 'a/b/inner'), 'utf8'), 'inner');
});
