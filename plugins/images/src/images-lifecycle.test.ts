import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { imageOf, manifestArchive, tarOf } from './testing/archives.js';
import { imageHarness } from './testing/harness.js';

const base = await tarOf({ base: 'base' });
const image = imageOf([base]);

test('no orphans are found where everything is in use', async (t) => {
  const harness = await imageHarness(t);
  await harness.load(await manifestArchive([{ ...image, tags: ['web:1'] }]));
  t.deepEqual(await harness.area.lifecycle.findOrphans(), []);
});

test('orphaned layers are found and removed, except those below a container', async (t) => {
  const harness = await imageHarness(t);
  await harness.load(await manifestArchive([{ ...image, tags: ['web:1'] }]));
  harness.storage.stored.set('stray', { id: 'stray', parent: undefined });
  harness.storage.stored.set('upon', { id: 'upon', parent: 'stray' });
  harness.storage.stored.set('used', { id: 'used', parent: undefined });
  harness.storage.inUse.add('used');
  const found = await harness.area.lifecycle.findOrphans();
  t.deepEqual(
    found.map(({ what, name, reason }) => [what, name, reason]),
    [
      ['layer', 'stray', 'no image needs it'],
      ['layer', 'upon', 'no image needs it'],
    ],
  );
  t.is(harness.storage.stored.size, 4, 'finding removes nothing');
  for (const orphan of found) await orphan.remove();
  t.is(harness.storage.stored.size, 2);
  t.deepEqual(await harness.area.lifecycle.findOrphans(), []);
});

test('an orphan that is in use by the time of its removal stays', async (t) => {
  const harness = await imageHarness(t);
  harness.storage.stored.set('stray', { id: 'stray', parent: undefined });
  const [stray] = await harness.area.lifecycle.findOrphans();
  harness.storage.inUse.add('stray');
  await t.throwsAsync(async () => stray?.remove(), { message: 'layer stray is in use' });
});

test('uploads of ended loads are orphans', async (t) => {
  const harness = await imageHarness(t);
  let open: (value: unknown) => void = () => undefined;
  harness.storage.gate = new Promise((resolve) => {
    open = resolve;
  });
  const loading = harness.load(await manifestArchive([image]));
  while (harness.storage.begun === 0) await new Promise(setImmediate);
  const stale = path.join(harness.directory, 'uploads', 'stale');
  await mkdir(stale);
  await writeFile(path.join(stale, 'x'), 'x');
  const found = await harness.area.lifecycle.findOrphans();
  t.deepEqual(
    found.map(({ name }) => name),
    [stale],
  );
  await found[0]?.remove();
  open(undefined);
  await loading;
  t.deepEqual(await readdir(path.join(harness.directory, 'uploads')), []);
  t.is(harness.area.store.size, 1);
});
