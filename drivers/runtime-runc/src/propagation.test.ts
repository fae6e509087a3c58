import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@gantry/conformance';
import { kernelMounts } from '@gantry/lib-linux/mounts';
import test, { type ExecutionContext } from 'ava';
import { openTestRuntime } from './testing/open-test-runtime.js';
import { requestFor, specFor } from './testing/request.js';
import { makeRootfs } from './testing/rootfs.js';

const rootfs = await makeRootfs();
test.after.always('the root file system goes', () => rootfs.remove());

async function sharedDirectory(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-shared-'));
  await kernelMounts.bind({ source: directory, target: directory, propagation: 'shared' });
  const below = [join(directory, 'ours'), join(directory, 'theirs')];
  t.teardown(async () => {
    for (const each of [...below, directory])
      await kernelMounts.unmount(each, { detach: 'always' }).catch(() => undefined);
    await rm(directory, { recursive: true });
  });
  for (const each of below) await mkdir(each);
  return directory;
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

test('mounts made in a shared directory reach the host, and those of the host one that is its slave', async (t) => {
  const host = await sharedDirectory(t);
  const { driver, release } = await openTestRuntime();
  t.teardown(release);
  t.teardown(async () => {
    for (const { id } of await driver.tasks()) await driver.delete(id, { force: true });
  });
  const run = async (id: string, propagation: string, script: string) => {
    const args = ['sh', '-c', script];
    const spec = specFor(rootfs.path, args);
    const mayMount = ['CAP_SYS_ADMIN'];
    const capabilities = { bounding: mayMount, effective: mayMount, permitted: mayMount };
    const bound = { destination: '/tmp', type: 'bind', source: host, options: ['rbind', propagation] };
    await driver.create({
      ...requestFor(rootfs.path, id, args),
      spec: {
        ...spec,
        process: { ...spec.process, capabilities },
        mounts: [...spec.mounts, bound],
        linux: { ...spec.linux, rootfsPropagation: propagation },
      },
    });
    await driver.startTask(id);
  };
  await run('shared', 'rshared', 'mount -t tmpfs theirs /tmp/theirs && touch /tmp/theirs/file && sleep 1000');
  await until('what was mounted inside is seen', () => isThere(join(host, 'theirs/file')));
  await run('slave', 'rslave', 'sleep 1000');
  await kernelMounts.mount({ source: 'ours', target: join(host, 'ours'), type: 'tmpfs' });
  await writeFile(join(host, 'ours/file'), '');
  const status = await driver.status('slave');
  t.is(status.status, 'running');
  if (status.status !== 'running') return;
  t.true(await isThere(`/proc/${status.pid}/root/tmp/ours/file`));
});
