import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freshDirectory, removeDirectory } from '@gantry/conformance';
import { kernelMounts } from '@gantry/lib-linux/mounts';
import test from 'ava';
import { DirectoryRemoval } from './directory-removal.js';

/** Needs root. */
test('a directory is removed with what is mounted in it, by the injected mounts', async (t) => {
  const base = await freshDirectory();
  t.teardown(() => removeDirectory(base));
  const [plain, mounted] = [join(base, 'plain'), join(base, 'mounted')];
  const target = join(mounted, 'state');
  await mkdir(plain);
  await mkdir(target, { recursive: true });
  await writeFile(join(mounted, 'file'), '');
  await kernelMounts.mount({ source: 'gantry', target, type: 'tmpfs' });
  const unmounted: string[] = [];
  const unmountTree: typeof kernelMounts.unmountTree = (directory, ...rest) => {
    unmounted.push(directory);
    return kernelMounts.unmountTree(directory, ...rest);
  };
  const removal = new DirectoryRemoval({ ...kernelMounts, unmountTree });
  await removal.remove(plain);
  t.deepEqual(unmounted, []);
  await removal.remove(mounted);
  t.deepEqual(unmounted, [mounted]);
  for (const directory of [plain, mounted]) await t.throwsAsync(access(directory), { code: 'ENOENT' });
  await removal.remove(mounted);
});
