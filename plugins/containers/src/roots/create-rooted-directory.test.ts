import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createRootedDirectory } from './create-rooted-directory.js';

const owner = { uid: 0, gid: 0 };

async function places(t: ExecutionContext): Promise<{ readonly root: string; readonly outside: string }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-rooted-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const [root, outside] = [path.join(directory, 'root'), path.join(directory, 'outside')];
  await Promise.all([mkdir(root), mkdir(outside)]);
  return { root, outside };
}

test('missing directories are created, and present ones stay', async (t) => {
  const { root } = await places(t);
  await createRootedDirectory(root, '/a/b/c', owner);
  await writeFile(path.join(root, 'a/b/file'), '');
  await createRootedDirectory(root, '/a/b/d/', owner);
  t.deepEqual((await readdir(path.join(root, 'a/b'))).sort(), ['c', 'd', 'file']);
  t.is((await stat(path.join(root, 'a/b/c'))).mode & 0o777, 0o755);
});

test('links are followed inside the root, absolute and relative ones', async (t) => {
  const { root, outside } = await places(t);
  await mkdir(path.join(root, 'real'));
  await symlink('/real', path.join(root, 'absolute'));
  await symlink('../../../../real', path.join(root, 'relative'));
  await symlink(outside, path.join(root, 'out'));
  await createRootedDirectory(root, '/absolute/x', owner);
  await createRootedDirectory(root, '/relative/y', owner);
  await createRootedDirectory(root, '/out/z', owner);
  t.deepEqual((await readdir(path.join(root, 'real'))).sort(), ['x', 'y']);
  t.deepEqual(await readdir(outside), []);
});

test('a file or a loop in the way is refused by name', async (t) => {
  const { root } = await places(t);
  await writeFile(path.join(root, 'file'), '');
  await symlink('loop', path.join(root, 'loop'));
  await t.throwsAsync(createRootedDirectory(root, '/file/x', owner), {
    message: 'WorkingDir: cannot create /file/x: /file is not a directory',
  });
  await t.throwsAsync(createRootedDirectory(root, '/loop', owner), {
    message: 'WorkingDir: cannot create /loop: too many links',
  });
});
