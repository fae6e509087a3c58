import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { DirectoryWatch } from './directory-watch.js';

test('a file that is made is told at once, also when it was made before one asked', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'watch-'));
  const never = 2 ** 30; // it does not come from the clock
  const watch = new DirectoryWatch(directory, never);
  t.teardown(async () => {
    watch.close();
    await rm(directory, { recursive: true });
  });
  const told = watch.change();
  await writeFile(path.join(directory, 'one'), '');
  await told;
  await writeFile(path.join(directory, 'two'), '');
  await watch.change();
  t.pass();
});

test('whoever waits for something else as well does not wait longer', async (t) => {
  const watch = new DirectoryWatch('/nowhere/at/all');
  await watch.change(Promise.resolve());
  watch.close();
  t.pass();
});
