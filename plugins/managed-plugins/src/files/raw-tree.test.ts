import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { listTree, moveBack, moveOut } from './raw-tree.js';

async function start(t: ExecutionContext) {
  const top = await mkdtemp(path.join(tmpdir(), 'gantry-raw-tree-'));
  t.teardown(() => rm(top, { recursive: true }));
  const [rootfs, kept] = [path.join(top, 'rootfs'), path.join(top, 'kept')];
  await mkdir(path.join(rootfs, 'data'), { recursive: true });
  await writeFile(path.join(rootfs, 'program'), '1');
  const image = new Set(await listTree(rootfs));
  const options = { stays: (entry: string) => image.has(entry), skips: (entry: string) => entry === 'run' };
  return { top, rootfs, kept, options };
}

test('what is not of the image is moved out and back, with names that are not UTF-8', async (t) => {
  const { kept, options, rootfs } = await start(t);
  const odd = Buffer.concat([Buffer.from(`${rootfs}/data/`), Buffer.from([0xff, 0xfe])]);
  await writeFile(odd, 'odd');
  await mkdir(path.join(rootfs, 'data/volume'), { mode: 0o750 });
  await writeFile(path.join(rootfs, 'data/volume/file'), 'kept');
  await mkdir(path.join(rootfs, 'run'));
  await writeFile(path.join(rootfs, 'run/pid'), '1');
  await moveOut(rootfs, kept, options);
  t.deepEqual((await listTree(kept)).sort(), ['data', 'data/volume', 'data/volume/file', 'data/\xff\xfe']);
  t.deepEqual((await listTree(rootfs)).sort(), ['data', 'program', 'run', 'run/pid']);
  await moveOut(rootfs, kept, options);
  await moveBack(kept, rootfs);
  t.is(await readFile(odd, 'utf8'), 'odd');
  t.is((await stat(path.join(rootfs, 'data/volume'))).mode & 0o777, 0o750);
  await t.throwsAsync(stat(kept), { code: 'ENOENT' });
});

test('a link of the new image is not followed when data is moved back', async (t) => {
  const { kept, options, rootfs, top } = await start(t);
  await writeFile(path.join(rootfs, 'data/file'), 'kept');
  await moveOut(rootfs, kept, options);
  await rm(path.join(rootfs, 'data'), { recursive: true });
  await mkdir(path.join(top, 'host'));
  await symlink(path.join(top, 'host'), path.join(rootfs, 'data'));
  await t.throwsAsync(moveBack(kept, rootfs), { message: /data at \/data cannot be restored: .* a file there/ });
  t.deepEqual(await listTree(path.join(top, 'host')), []);
  t.is(await readFile(path.join(kept, 'data/file'), 'utf8'), 'kept');
});

test('data replaces a file of the new image', async (t) => {
  const { kept, options, rootfs } = await start(t);
  await writeFile(path.join(rootfs, 'state'), 'own');
  await moveOut(rootfs, kept, options);
  await writeFile(path.join(rootfs, 'state'), 'default');
  await moveBack(kept, rootfs);
  t.is(await readFile(path.join(rootfs, 'state'), 'utf8'), 'own');
});
