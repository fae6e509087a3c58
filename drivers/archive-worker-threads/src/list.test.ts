import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import test from 'ava';
import { scratch } from './testing/scratch.js';

test('a listing has names, modes and digests that times do not change', async (t) => {
  const { archive, root } = await scratch(t);
  mkdirSync(join(root, 'd/e'), { recursive: true });
  writeFileSync(join(root, 'd/f'), 'one');
  const list = async () => (await archive.listTree(root, 'd', { digests: true })).entries;
  const before = await list();
  t.deepEqual(
    before.map(({ path }) => path),
    ['', 'e', 'f'],
  );
  utimesSync(join(root, 'd/f'), 1, 1);
  t.deepEqual(await list(), before);
  chmodSync(join(root, 'd/f'), 0o755);
  t.notDeepEqual(await list(), before);
  chmodSync(join(root, 'd/f'), 0o644);
  writeFileSync(join(root, 'd/f'), 'two');
  t.notDeepEqual(await list(), before);
  t.deepEqual((await archive.listTree(root, 'absent')).entries, []);
});

test('links are followed inside the root', async (t) => {
  const { archive, root } = await scratch(t);
  mkdirSync(join(root, 'd'));
  symlinkSync('/../../d', join(root, 'l'));
  const { path, existing, mode = 0 } = await archive.resolveInRoot(root, '../l/x/y');
  t.deepEqual([path, existing, mode], ['d/x/y', 'd', 0]);
  t.is((await archive.resolveInRoot(root, 'l')).path, 'd');
  t.deepEqual((await archive.listTree(root, '/../../../etc/passwd')).entries, []);
});

test('a selection packs each thing under its name', async (t) => {
  const { archive, base, root } = await scratch(t);
  const other = join(base, 'other');
  mkdirSync(other);
  mkdirSync(join(root, 'd'));
  writeFileSync(join(root, 'd/f'), 'f');
  writeFileSync(join(root, 'g'), 'g');
  const tar = archive.packSelection(root, [
    { path: 'd', name: 'x', contentOnly: true },
    { path: 'g', name: 'y/h', contentOnly: false },
  ]);
  await archive.extract({ stream: Readable.from(tar), compression: 'none' }, other, '/');
  t.deepEqual(
    (await archive.listTree(other, '/')).entries.map(({ path }) => path),
    ['', 'x', 'x/f', 'y', 'y/h'],
  );
});
