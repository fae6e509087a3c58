import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { DirectoryWatch } from './directory-watch.js';

test('a change resolves immediately, also if it happened before the call', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'watch-'));
  const never = 2 ** 30; // no fallback check
  const watch = new DirectoryWatch(directory, never);
  t.teardown(async () => {
    watch.close();
    await rm(directory, { recursive: true });
  });
  const change = watch.change();
  await writeFile(path.join(directory, 'one'), '');
  await change;
  await writeFile(path.join(directory, 'two'), '');
  await watch.change();
  t.pass();
});

test('the wait ends when the other promise settles', async (t) => {
  const watch = new DirectoryWatch('/nowhere/at/all');
  await watch.change(Promise.resolve());
  watch.close();
  t.pass();
});
