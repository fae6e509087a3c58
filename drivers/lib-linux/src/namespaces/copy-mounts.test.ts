import { closeSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { SpawnLauncher } from '../launcher/spawn-launcher.js';
import { kernelMounts } from '../mounts/kernel-mounts.js';
import { kernelNamespaces } from './kernel-namespaces.js';

/** A shared directory with a mount point in which a tmpfs with a file is mounted. Needs root. */
async function setUp(t: ExecutionContext) {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-mounts-'));
  await kernelMounts.bind({ source: directory, target: directory, propagation: 'shared' });
  const [hidden, later] = [join(directory, 'hidden'), join(directory, 'later')];
  t.teardown(async () => {
    for (const each of [hidden, later, directory]) {
      await kernelMounts.unmount(each, { detach: 'always' }).catch(() => undefined);
    }
    await rm(directory, { recursive: true });
  });
  for (const each of [hidden, later]) await mkdir(each);
  await mountWithFile(hidden);
  const copy = (without = hidden): number => {
    const fd = kernelNamespaces.mountsWithout(without);
    t.teardown(() => closeSync(fd));
    return fd;
  };
  return { copy, hidden, later };
}

async function mountWithFile(target: string): Promise<void> {
  await kernelMounts.mount({ source: 'gantry', target, type: 'tmpfs' });
  await writeFile(join(target, 'file'), '');
}

async function listIn(copy: number, path: string): Promise<string> {
  const namespace = `--mount=/proc/${process.pid}/fd/${copy}`;
  const { stdout, stderr } = await new SpawnLauncher().run('nsenter', [namespace, 'ls', path]);
  return `${stdout}${stderr}`;
}

test('in a copy the mount is hidden, here it stays, and later mounts appear in both', async (t) => {
  const { copy, hidden, later } = await setUp(t);
  const made = copy();
  t.is(await listIn(made, hidden), '');
  t.deepEqual(await readdir(hidden), ['file']);
  await mountWithFile(later);
  t.is(await listIn(made, later), 'file\n');
  await kernelMounts.unmount(later);
  t.is(await listIn(made, later), '');
});

test('the thread is where it was afterwards, and copies are namespaces of their own', async (t) => {
  const { copy, later } = await setUp(t);
  const place = (): readonly string[] => [
    readlinkSync('/proc/thread-self/ns/mnt'),
    process.cwd(),
    readlinkSync('/proc/thread-self/root'),
  ];
  const before = place();
  const names = [copy(), copy()].map((made) => readlinkSync(`/proc/self/fd/${made}`));
  t.deepEqual(place(), before);
  t.is(new Set([...names, before[0]]).size, 3);
  await mountWithFile(later);
  t.deepEqual(await readdir(later), ['file']);
  t.deepEqual(readdirSync(later), ['file'], 'seen by this thread and by those of the pool');
});

test('what is no mount point cannot be hidden, and nothing changes', async (t) => {
  const { copy, hidden, later } = await setUp(t);
  const before = [readlinkSync('/proc/thread-self/ns/mnt'), process.cwd(), readdirSync('/proc/self/fd').length];
  t.throws(() => copy(later), { code: 'EINVAL' });
  t.deepEqual([readlinkSync('/proc/thread-self/ns/mnt'), process.cwd(), readdirSync('/proc/self/fd').length], before);
  t.is(await listIn(copy(), hidden), '');
});
