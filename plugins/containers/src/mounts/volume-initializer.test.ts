import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { MountPoint } from '../record.js';
import { recordWith } from '../testing/configuration-fixture.js';
import { VolumeInitializer } from './volume-initializer.js';

async function open(t: ExecutionContext) {
  const root = await mkdtemp(path.join(tmpdir(), 'gantry-copy-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  const [rootfs, volume] = [path.join(root, 'rootfs'), path.join(root, 'volume')];
  await mkdir(path.join(rootfs, 'data'), { recursive: true });
  await mkdir(volume);
  await writeFile(path.join(rootfs, 'data', 'seed'), 'from the image');
  let fails = false;
  const copyTree = async (from: string, to: string) => {
    if (fails) await writeFile(path.join(to, 'half'), '');
    if (fails) throw new Error('no space left');
    await cp(from, to, { recursive: true });
  };
  const initializer = new VolumeInitializer(
    { of: (id) => path.join(root, id) },
    {
      get: () => ({ copyTree }),
    },
  );
  const mount: MountPoint = {
    type: 'volume',
    name: 'v',
    source: volume,
    destination: '/data',
    mode: '',
    readWrite: true,
    propagation: '',
    anonymous: false,
    copyUp: true,
  };
  const copy = (changes: Partial<MountPoint> = {}, everStarted = false) =>
    initializer.initialize({ ...recordWith({}), everStarted }, rootfs, [
      { mount: { ...mount, ...changes }, hostPath: volume },
    ]);
  return {
    copy,
    rootfs,
    volume,
    setFailing: (failing: boolean) => {
      fails = failing;
    },
  };
}

test('an empty volume takes what the image has at its place', async (t) => {
  const { copy, volume } = await open(t);
  await copy();
  t.is(await readFile(path.join(volume, 'seed'), 'utf8'), 'from the image');
});

test('a volume with content, one without copying and one of a second start stay as they are', async (t) => {
  const { copy, volume } = await open(t);
  await copy({ copyUp: false });
  await copy({}, true);
  t.deepEqual(await readdir(volume), []);
  await writeFile(path.join(volume, 'own'), '');
  await copy();
  t.deepEqual(await readdir(volume), ['own']);
});

test('an interrupted copy is repeated', async (t) => {
  const { setFailing, copy, volume } = await open(t);
  setFailing(true);
  await t.throwsAsync(copy(), { message: 'no space left' });
  setFailing(false);
  await copy();
  t.deepEqual(await readdir(volume), ['seed']);
});

test('a link out of the image is not followed', async (t) => {
  const { copy, rootfs, volume } = await open(t);
  await symlink('/etc', path.join(rootfs, 'out'));
  await copy({ destination: '/out' });
  t.deepEqual(await readdir(volume), []);
});
