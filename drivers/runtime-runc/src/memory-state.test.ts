import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freshDirectory, removeDirectory } from '@gantry/conformance';
import { silentLogger } from '@gantry/core/driver';
import { LinuxError } from '@gantry/lib-linux';
import { kernelMounts, type Mounts } from '@gantry/lib-linux/mounts';
import test, { type ExecutionContext } from 'ava';
import { MemoryState } from './memory-state.js';

/** Needs root. */
async function scratch(t: ExecutionContext) {
  const base = await freshDirectory();
  t.teardown(() => removeDirectory(base));
  const directory = join(base, 'memory');
  const open = async (mounts: Mounts = kernelMounts): Promise<MemoryState> => {
    const [tasks, runtimeRoot] = [join(directory, 'tasks'), join(directory, 'runtime')];
    const state = new MemoryState({ memory: directory, tasks, runtimeRoot }, mounts, silentLogger);
    await state.open();
    return state;
  };
  return { directory, open, onDisk: await isOnDisk(base) };
}

const isOnDisk = async (path: string): Promise<boolean> => (await kernelMounts.statfs(path)).type !== 'tmpfs';
const yes = (): boolean => true;
const no = (): boolean => false;

test('on a disk, files of tasks are in memory from the first task to the last', async (t) => {
  const { directory, open, onDisk } = await scratch(t);
  const state = await open();
  t.is(await kernelMounts.isMountPoint(directory), false, 'not without a task');
  await Promise.all([state.enter(), state.enter()]);
  t.is(await kernelMounts.isMountPoint(directory), onDisk);
  t.is(await isOnDisk(directory), false);
  await writeFile(join(directory, 'tasks/one'), 'kept');
  await state.leave(no);
  t.deepEqual(await readdir(join(directory, 'tasks')), ['one']);
  // A task that begins during the unmount mounts it again.
  await Promise.all([state.leave(yes), state.enter()]);
  t.is(await isOnDisk(directory), false);
  t.deepEqual((await readdir(directory)).sort(), ['runtime', 'tasks']);
  await state.leave(yes);
  t.is(await kernelMounts.isMountPoint(directory), false);
  t.is((await kernelMounts.list()).filter(({ target }) => target === directory).length, 0);
});

test('the next daemon uses the mount of one that was killed', async (t) => {
  const { directory, open } = await scratch(t);
  await (await open()).enter();
  await writeFile(join(directory, 'tasks/one'), 'kept');
  const next = await open();
  t.deepEqual(await readdir(join(directory, 'tasks')), ['one']);
  await next.enter();
  t.deepEqual(await readdir(join(directory, 'tasks')), ['one'], 'not covered by another');
  await next.leave(yes);
  t.is(await kernelMounts.isMountPoint(directory), false);

  await kernelMounts.mount({ source: 'gantry', target: directory, type: 'tmpfs' }); // and was killed before the next step
  const other = await open();
  t.deepEqual((await readdir(directory)).sort(), ['runtime', 'tasks']);
  await other.leave(yes);
  t.is(await kernelMounts.isMountPoint(directory), false);
});

test('tasks that are on the disk are not covered', async (t) => {
  const { directory, open } = await scratch(t);
  await mkdir(join(directory, 'tasks/one'), { recursive: true });
  const state = await open();
  await state.enter();
  t.deepEqual(await readdir(join(directory, 'tasks')), ['one']);
  t.is(await kernelMounts.isMountPoint(directory), false);
});

test('where mounting fails, or the directory is in memory anyway, nothing is mounted', async (t) => {
  const { directory, open, onDisk } = await scratch(t);
  let calls = 0;
  const mount = async (): Promise<void> => {
    calls++;
    throw new LinuxError('EPERM', 'mount');
  };
  const refused = await open({ ...kernelMounts, mount });
  await refused.enter();
  await refused.enter();
  t.is(calls, onDisk ? 1 : 0, 'tried once');
  calls = 0;
  const statfs: Mounts['statfs'] = async (path) => ({ ...(await kernelMounts.statfs(path)), type: 'tmpfs' });
  await (await open({ ...kernelMounts, mount, statfs })).enter();
  t.is(calls, 0);
  t.is(await kernelMounts.isMountPoint(directory), false);
});
