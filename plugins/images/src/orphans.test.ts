import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { imageOf, manifestArchive, tarOf } from './testing/archives.js';
import { imageBench } from './testing/bench.js';

const base = await tarOf({ base: 'base' });
const image = imageOf([base]);

test('nothing is left over where everything is of use', async (t) => {
  const bench = await imageBench(t);
  await bench.load(await manifestArchive([{ ...image, tags: ['web:1'] }]));
  t.deepEqual(await bench.area.findOrphans(), []);
});

test('layers without an image are told and removed, those below a container not', async (t) => {
  const bench = await imageBench(t);
  await bench.load(await manifestArchive([{ ...image, tags: ['web:1'] }]));
  bench.storage.stored.set('stray', { id: 'stray', parent: undefined });
  bench.storage.stored.set('upon', { id: 'upon', parent: 'stray' });
  bench.storage.stored.set('used', { id: 'used', parent: undefined });
  bench.storage.inUse.add('used');
  const found = await bench.area.findOrphans();
  t.deepEqual(
    found.map(({ what, name, reason }) => [what, name, reason]),
    [
      ['layer', 'stray', 'no image needs it'],
      ['layer', 'upon', 'no image needs it'],
    ],
  );
  t.is(bench.storage.stored.size, 4, 'telling removes nothing');
  for (const orphan of found) await orphan.remove();
  t.is(bench.storage.stored.size, 2);
  t.deepEqual(await bench.area.findOrphans(), []);
});

test('what became of use since is not removed', async (t) => {
  const bench = await imageBench(t);
  bench.storage.stored.set('stray', { id: 'stray', parent: undefined });
  const [stray] = await bench.area.findOrphans();
  bench.storage.inUse.add('stray');
  await t.throwsAsync(async () => stray?.remove(), { message: 'layer stray is in use' });
});

test('uploads are left over once their load has ended', async (t) => {
  const bench = await imageBench(t);
  let open: (value: unknown) => void = () => undefined;
  bench.storage.gate = new Promise((resolve) => {
    open = resolve;
  });
  const loading = bench.load(await manifestArchive([image]));
  while (bench.storage.begun === 0) await new Promise(setImmediate);
  const stale = path.join(bench.directory, 'uploads', 'stale');
  await mkdir(stale);
  await writeFile(path.join(stale, 'x'), 'x');
  const found = await bench.area.findOrphans();
  t.deepEqual(
    found.map(({ name }) => name),
    [stale],
  );
  await found[0]?.remove();
  open(undefined);
  await loading;
  t.deepEqual(await readdir(path.join(bench.directory, 'uploads')), []);
  t.is(bench.area.store.size, 1);
});
