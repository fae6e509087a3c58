import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { readRootedFile } from './read-rooted-file.js';

test('links are followed inside the root and never out of it', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-rooted-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const root = path.join(directory, 'root');
  await mkdir(path.join(root, 'etc'), { recursive: true });
  await writeFile(path.join(directory, 'secret'), 'outside');
  await writeFile(path.join(root, 'etc/real'), 'inside');
  await symlink('/etc/real', path.join(root, 'etc/absolute'));
  await symlink('../../../../etc/real', path.join(root, 'etc/climbing'));
  await symlink('../../secret', path.join(root, 'etc/escape'));
  await symlink(path.join(directory, 'secret'), path.join(root, 'etc/escape-absolute'));
  await symlink('loop', path.join(root, 'etc/loop'));
  const read = (name: string) => readRootedFile(root, `/etc/${name}`);
  t.is(await read('absolute'), 'inside');
  t.is(await read('climbing'), 'inside');
  t.is(await read('escape'), undefined);
  t.is(await read('escape-absolute'), undefined);
  t.is(await read('loop'), undefined);
  t.is(await read('absent'), undefined);
  t.is(await readRootedFile(root, '/etc'), undefined);
});
