import { readlink } from 'node:fs/promises';
import { freshDirectory, removeDirectory } from '@gantry/conformance';
import { silentLogger } from '@gantry/core/driver';
import type { CgroupLayout } from '@gantry/lib-linux/cgroups';
import { SpawnLauncher } from '@gantry/lib-linux/launcher';
import { kernelMounts } from '@gantry/lib-linux/mounts';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import test from 'ava';
import { CreateForms } from './create-forms.js';
import type { OciRuntime } from './oci-runtime.js';

const plain: OciRuntime = {
  name: 'crun',
  path: '/bin/ls',
  args: [],
  program: '/bin/ls',
  kind: 'crun',
  version: '1.8.1',
};
const apart: OciRuntime = { ...plain, path: '/usr/bin/unshare', args: ['--mount', '/bin/ls'] };
const unsealed = { sealed: async (runtime: OciRuntime) => runtime };

function setUp(unified: string | undefined): CreateForms {
  const layout: CgroupLayout = { mode: 'hybrid', controllers: new Map(), systemd: undefined, unified };
  return new CreateForms(unsealed, { layout: async () => layout }, kernelNamespaces, silentLogger);
}

test('one program comes before a runtime that must not see a mount, in a namespace that ends with the create', async (t) => {
  const directory = await freshDirectory();
  await kernelMounts.mount({ source: 'gantry', target: directory, type: 'tmpfs' });
  t.teardown(async () => {
    await kernelMounts.unmount(directory);
    await removeDirectory(directory);
  });
  const forms = setUp(directory);
  const task = await freshDirectory();
  t.teardown(() => removeDirectory(task));
  const { runtime, ready, close } = await forms.open(apart, task);
  t.regex(runtime.path, /\/nsenter$/);
  const [namespace = '', ...rest] = runtime.args;
  t.deepEqual(rest, ['/bin/ls']);
  const later = await freshDirectory();
  await kernelMounts.mount({ source: 'gantry', target: later, type: 'tmpfs' });
  t.teardown(async () => {
    await kernelMounts.unmount(later);
    await removeDirectory(later);
  });
  await ready();
  const file = await readlink(namespace.replace('--mount=', ''));
  const here = await readlink('/proc/self/ns/mnt');
  t.regex(await readlink(file), /^mnt:/);
  t.not(await readlink(file), here);
  const mounts = await new SpawnLauncher().run(runtime.path, [namespace, 'cat', '/proc/self/mountinfo']);
  t.regex(mounts.stdout.toString(), / \/proc /);
  t.false(mounts.stdout.toString().includes(directory));
  t.true(mounts.stdout.toString().includes(later), 'what was mounted before the runtime was needed');
  t.true(await kernelMounts.isMountPoint(directory));
  close();
});

test('nothing comes before a runtime that may see all mounts', async (t) => {
  t.deepEqual((await setUp(undefined).open(plain, '/tmp')).runtime, plain);
  t.deepEqual((await setUp('/dev/shm').open(plain, '/tmp')).runtime, plain);
});

test('where the mount namespace cannot be copied, the runtime makes its own', async (t) => {
  const forms = setUp('/no/such/mount');
  t.deepEqual((await forms.open(apart, '/tmp')).runtime, apart);
  t.deepEqual((await forms.open(apart, '/tmp')).runtime, apart);
});
