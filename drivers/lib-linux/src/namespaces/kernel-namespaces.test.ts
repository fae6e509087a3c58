import { closeSync, existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { kernelMounts } from '../mounts/kernel-mounts.js';
import { kernelNamespaces } from './kernel-namespaces.js';

let count = 0;
function freshPath(t: ExecutionContext): string {
  count += 1;
  const path = join(tmpdir(), `netns-${process.pid}-${count}`);
  t.teardown(() => void kernelNamespaces.removeNetwork(path));
  return path;
}

const whereAmI = () => readlinkSync('/proc/thread-self/ns/net');

test('a network namespace is made, entered, left and removed', (t) => {
  const path = freshPath(t);
  const home = whereAmI();
  kernelNamespaces.createNetwork(path);
  t.is(whereAmI(), home);
  t.true(kernelNamespaces.isNamespace(path));
  const there = kernelNamespaces.runInNetwork(path, whereAmI);
  t.not(there, home);
  t.is(whereAmI(), home);
  t.true(kernelNamespaces.removeNetwork(path));
  t.false(existsSync(path));
  t.false(kernelNamespaces.removeNetwork(path));
});

test('a descriptor of a namespace will do, nested too', (t) => {
  const [outer, inner] = [freshPath(t), freshPath(t)];
  kernelNamespaces.createNetwork(outer);
  kernelNamespaces.createNetwork(inner);
  const fd = kernelNamespaces.open(inner);
  kernelNamespaces.runInNetwork(outer, () => {
    const before = whereAmI();
    t.not(kernelNamespaces.runInNetwork(fd, whereAmI), before);
    t.is(whereAmI(), before);
  });
  closeSync(fd);
});

test('the thread is back after a throw', (t) => {
  const path = freshPath(t);
  kernelNamespaces.createNetwork(path);
  const home = whereAmI();
  t.throws(
    () =>
      kernelNamespaces.runInNetwork(path, () => {
        throw new Error('inside');
      }),
    { message: 'inside' },
  );
  t.is(whereAmI(), home);
});

test('what is asynchronous is refused', (t) => {
  const path = freshPath(t);
  kernelNamespaces.createNetwork(path);
  t.throws(() => kernelNamespaces.runInNetwork(path, async () => undefined), { instanceOf: TypeError });
});

test('a path that is taken is EEXIST and stays as it is', (t) => {
  const path = freshPath(t);
  kernelNamespaces.createNetwork(path);
  t.throws(() => kernelNamespaces.createNetwork(path), { code: 'EEXIST' });
  t.true(kernelNamespaces.isNamespace(path));
});

test('the empty file a reboot leaves is no namespace, and can be removed', (t) => {
  const path = freshPath(t);
  writeFileSync(path, '');
  t.false(kernelNamespaces.isNamespace(path));
  t.throws(() => kernelNamespaces.runInNetwork(path, () => undefined), { code: 'EINVAL' });
  t.true(kernelNamespaces.removeNetwork(path));
});

test('an absent namespace is ENOENT', (t) => {
  t.throws(() => kernelNamespaces.runInNetwork('/no/such/namespace', () => undefined), { code: 'ENOENT' });
  t.throws(() => kernelNamespaces.openOfProcess(2 ** 30, 'net'), { code: 'ENOENT' });
});

test('the namespace of a process can be opened', (t) => {
  const fd = kernelNamespaces.openOfProcess(process.pid, 'net');
  t.is(readlinkSync(`/proc/self/fd/${fd}`), whereAmI());
  closeSync(fd);
});

test.serial('nothing stays open or mounted', async (t) => {
  const path = freshPath(t);
  const before = readdirSync('/proc/self/fd').length;
  for (let round = 0; round < 5; round += 1) {
    kernelNamespaces.createNetwork(path);
    kernelNamespaces.runInNetwork(path, () => undefined);
    kernelNamespaces.removeNetwork(path);
  }
  t.is(readdirSync('/proc/self/fd').length, before);
  t.false((await kernelMounts.list()).some(({ target }) => target === path));
});
