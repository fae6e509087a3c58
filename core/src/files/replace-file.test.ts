import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { replaceFile } from './replace-file.js';

test('the file is replaced, also over what a crash left of an earlier draft, and nothing stays beside it', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-replace-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const file = path.join(directory, 'file');
  await writeFile(`${file}.new`, 'a longer draft that was never finished');
  await replaceFile(file, 'one', { flush: true });
  t.is(await readFile(file, 'utf8'), 'one');
  await replaceFile(file, 'two', { mode: 0o600 });
  t.is(await readFile(file, 'utf8'), 'two');
  t.is((await stat(file)).mode & 0o777, 0o600);
  t.deepEqual(await readdir(directory), ['file']);
});
