import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { kernelMounts, openKernelMounts } from './kernel-mounts.js';
import { parseMountOptions } from './mount-flags.js';
import { parseMountinfo } from './parse-mountinfo.js';

async function scratch(t: ExecutionContext, ...directories: readonly string[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'mounts-'));
  t.teardown(async () => {
    await kernelMounts.unmountTree(root, { detach: 'always' });
    await rm(root, { recursive: true });
  });
  for (const name of directories) await mkdir(join(root, name), { recursive: true });
  return root;
}

test('a filesystem is mounted with flags and options, listed, and unmounted', async (t) => {
  const root = await scratch(t, 'a b');
  const target = join(root, 'a b');
  await kernelMounts.mount({
    source: 'some\\where',
    target,
    type: 'tmpfs',
    flags: ['nosuid', 'noexec'],
    data: 'size=1m',
  });
  const entry = (await kernelMounts.list()).find((candidate) => candidate.target === target);
  t.is(entry?.type, 'tmpfs');
  t.is(entry?.source, 'some\\where');
  t.true(entry?.options.includes('nosuid'));
  t.true(entry?.superOptions.includes('size=1024k'));
  t.is((await kernelMounts.statfs(target)).type, 'tmpfs');
  t.is((await kernelMounts.statfs(target)).totalBytes, 2 ** 20);
  t.true(await kernelMounts.isMountPoint(target));
  t.true(await kernelMounts.unmount(target));
  t.false(await kernelMounts.unmount(target));
  t.false(await kernelMounts.isMountPoint(target));
});

test('a mount that fails says which target and why', async (t) => {
  const root = await scratch(t, 'x');
  await t.throwsAsync(kernelMounts.mount({ source: 'x', target: join(root, 'nope'), type: 'tmpfs' }), {
    code: 'ENOENT',
    message: /nope/,
  });
  await t.throwsAsync(kernelMounts.mount({ source: 'x', target: join(root, 'x'), type: 'nosuchfs' }), {
    code: 'ENODEV',
  });
});

test('a bind mount is read-only on one side and keeps the flags of its source', async (t) => {
  const root = await scratch(t, 'source', 'target');
  const [source, target] = [join(root, 'source'), join(root, 'target')];
  await kernelMounts.mount({ source: 'x', target: source, type: 'tmpfs', flags: ['nodev'] });
  await kernelMounts.bind({ source, target, flags: ['ro'], propagation: 'private' });
  await writeFile(join(source, 'file'), 'text');
  t.is(await readFile(join(target, 'file'), 'utf8'), 'text');
  await t.throwsAsync(writeFile(join(target, 'file'), 'other'), { code: 'EROFS' });
  const entry = (await kernelMounts.list()).find((candidate) => candidate.target === target);
  t.true(entry?.options.includes('nodev'));
  t.is(entry?.shared, undefined);
  await kernelMounts.remount(target, []);
  await t.notThrowsAsync(writeFile(join(target, 'file'), 'other'));
});

test('a recursive bind brings what is mounted below along', async (t) => {
  const root = await scratch(t, 'source/below', 'plain', 'deep');
  await kernelMounts.mount({ source: 'x', target: join(root, 'source/below'), type: 'tmpfs' });
  await writeFile(join(root, 'source/below/file'), '');
  await kernelMounts.bind({ source: join(root, 'source'), target: join(root, 'plain') });
  await kernelMounts.bind({ source: join(root, 'source'), target: join(root, 'deep'), recursive: true });
  t.deepEqual(await readdir(join(root, 'plain/below')), []);
  t.deepEqual(await readdir(join(root, 'deep/below')), ['file']);
  t.is(await kernelMounts.unmountTree(root), 4);
});

test('propagation can be shared and made a slave', async (t) => {
  const root = await scratch(t, 'a', 'b');
  await kernelMounts.mount({ source: 'x', target: join(root, 'a'), type: 'tmpfs' });
  await kernelMounts.propagate(join(root, 'a'), 'shared');
  await kernelMounts.bind({ source: join(root, 'a'), target: join(root, 'b'), propagation: 'rslave' });
  const entries = await kernelMounts.list();
  const peer = entries.find(({ target }) => target === join(root, 'a'))?.shared;
  t.not(peer, undefined);
  t.is(entries.find(({ target }) => target === join(root, 'b'))?.master, peer);
});

test('a mount moves', async (t) => {
  const root = await scratch(t, 'top');
  // A mount whose parent is shared cannot move: the parent must be one of our own.
  await kernelMounts.mount({ source: 'x', target: join(root, 'top'), type: 'tmpfs' });
  await kernelMounts.propagate(join(root, 'top'), 'private');
  for (const name of ['a', 'b']) await mkdir(join(root, 'top', name));
  await kernelMounts.mount({ source: 'x', target: join(root, 'top/a'), type: 'tmpfs' });
  await kernelMounts.move(join(root, 'top/a'), join(root, 'top/b'));
  t.false(await kernelMounts.isMountPoint(join(root, 'top/a')));
  t.true(await kernelMounts.isMountPoint(join(root, 'top/b')));
});

test('a busy mount is refused or detached, as asked', async (t) => {
  const root = await scratch(t, 'a');
  const target = join(root, 'a');
  await kernelMounts.mount({ source: 'x', target, type: 'tmpfs' });
  await writeFile(join(target, 'file'), '');
  const fd = openSync(join(target, 'file'), 'r');
  await t.throwsAsync(kernelMounts.unmount(target, { detach: 'never' }), { code: 'EBUSY' });
  t.true(await kernelMounts.unmount(target));
  t.false(await kernelMounts.isMountPoint(target));
  closeSync(fd);
});

test('a link to a mount point is none', async (t) => {
  const root = await scratch(t, 'a');
  await kernelMounts.mount({ source: 'x', target: join(root, 'a'), type: 'tmpfs' });
  await symlink(join(root, 'a'), join(root, 'link'));
  t.false(await kernelMounts.isMountPoint(join(root, 'link')));
  t.false(await kernelMounts.isMountPoint(join(root, 'absent')));
});

test('an overlay shows its layers, topmost first, and writes to the upper one', async (t) => {
  const root = await scratch(t, 'one', 'two', 'upper', 'work', 'target');
  await writeFile(join(root, 'one/file'), 'one');
  await writeFile(join(root, 'two/file'), 'two');
  await writeFile(join(root, 'two/other'), 'two');
  await kernelMounts.overlay({
    lower: [join(root, 'one'), join(root, 'two')],
    upper: join(root, 'upper'),
    work: join(root, 'work'),
    target: join(root, 'target'),
    options: { index: 'off' },
  });
  t.is(await readFile(join(root, 'target/file'), 'utf8'), 'one');
  t.is(await readFile(join(root, 'target/other'), 'utf8'), 'two');
  await writeFile(join(root, 'target/new'), 'new');
  t.is(await readFile(join(root, 'upper/new'), 'utf8'), 'new');
});

test('many layers with long and odd names are no problem', async (t) => {
  const root = await scratch(t, 'up:,\\per', 'work', 'target');
  const lower = Array.from({ length: 120 }, (_, index) => join(root, `${index}-:,\\ `.padEnd(120, 'x')));
  for (const path of lower) await mkdir(path);
  await writeFile(join(lower[119] ?? '', 'deepest'), '');
  await kernelMounts.overlay({
    lower,
    upper: join(root, 'up:,\\per'),
    work: join(root, 'work'),
    target: join(root, 'target'),
  });
  t.deepEqual(await readdir(join(root, 'target')), ['deepest']);
  await writeFile(join(root, 'target/new'), '');
  t.deepEqual(await readdir(join(root, 'up:,\\per')), ['new']);
});

test('an overlay without an upper layer is read-only', async (t) => {
  const root = await scratch(t, 'one', 'two', 'target');
  await kernelMounts.overlay({ lower: [join(root, 'one'), join(root, 'two')], target: join(root, 'target') });
  await t.throwsAsync(writeFile(join(root, 'target/new'), ''), { code: 'EROFS' });
});

test('an overlay that fails says which layer, or what the kernel says', async (t) => {
  const root = await scratch(t, 'one', 'target');
  const target = join(root, 'target');
  await t.throwsAsync(kernelMounts.overlay({ lower: [join(root, 'one'), join(root, 'absent')], target }), {
    code: 'ENOENT',
    message: /absent/,
  });
  await t.throwsAsync(kernelMounts.overlay({ lower: [join(root, 'one')], target, options: { nonsense: 'on' } }), {
    code: 'EINVAL',
    message: /nonsense on: overlay: Unknown parameter 'nonsense'/,
  });
  t.false(await kernelMounts.isMountPoint(target));
});

test('kernels that take options in one page get up to 200 layers of any name, and a clear refusal beyond', async (t) => {
  const classic = openKernelMounts(() => false);
  const root = await scratch(t, 'up:,\\per', 'work', 'target');
  const [upper, work, target] = [join(root, 'up:,\\per'), join(root, 'work'), join(root, 'target')];
  const lower = Array.from({ length: 200 }, (_, index) => join(root, `${index}-:,\\ `.padEnd(120, 'x')));
  for (const path of lower) await mkdir(path);
  await writeFile(join(lower[199] ?? '', 'deepest'), '');
  await classic.overlay({ lower: lower.slice(0, 3), upper, work, target });
  t.deepEqual(await readdir(target), []);
  await classic.unmount(target);
  await classic.overlay({ lower, upper, work, target, options: { index: 'off' } });
  t.deepEqual(await readdir(target), ['deepest']);
  await writeFile(join(target, 'new'), '');
  t.deepEqual(await readdir(upper), ['new']);
  await t.throwsAsync(classic.overlay({ lower: [...lower, ...lower], target }), {
    code: 'E2BIG',
    message: /400 layers do not fit into the 4095 bytes/,
  });
  await t.throwsAsync(classic.overlay({ lower: [...lower, join(root, 'absent')], target }), {
    code: 'ENOENT',
    message: /absent/,
  });
});

test('the table of mounts is read with its escapes and optional fields', (t) => {
  const [entry] = parseMountinfo(
    '36 35 98:0 /mnt\\0401 /a\\011b\\134c rw,noatime shared:7 master:1 - ext3 /dev/ro\\012ot rw,errors=continue\n\nrubbish\n',
  );
  t.deepEqual(entry, {
    id: 36,
    parent: 35,
    device: '98:0',
    root: '/mnt 1',
    target: '/a\tb\\c',
    options: ['rw', 'noatime'],
    shared: 7,
    master: 1,
    type: 'ext3',
    source: '/dev/ro\not',
    superOptions: ['rw', 'errors=continue'],
  });
});

test('words for mount are sorted into flags and data', (t) => {
  t.deepEqual(parseMountOptions('defaults,ro,size=10m,nosuid,suid,uid=1000'), {
    flags: ['ro'],
    data: 'size=10m,uid=1000',
  });
  t.deepEqual(parseMountOptions(''), { flags: [], data: '' });
});
