import { chmodSync, chownSync, linkSync, lutimesSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TarEntry, TarReader } from '@gantry/lib-archive/tar';
import { kernelFiles } from '@gantry/lib-linux/files';
import test from 'ava';
import { collect, scratch } from './testing/scratch.js';

type Packed = TarEntry & { readonly content: string };

function entriesIn(bytes: Buffer): Packed[] {
  const entries: (TarEntry & { content: string })[] = [];
  const reader = new TarReader({
    raw: () => undefined,
    begin: (entry) => void entries.push({ ...entry, content: '' }),
    payload: (piece) => {
      entries.at(-1)!.content += piece.toString('latin1');
    },
    end: () => undefined,
  });
  reader.push(bytes);
  reader.finish();
  return entries;
}

const names = (entries: readonly Packed[]): string[] => entries.map(({ name }) => name);

test('a tree is packed in the order of the bytes of its names, with everything about it', async (t) => {
  const { archive, root } = await scratch(t);
  mkdirSync(join(root, 'd/B'), { recursive: true });
  writeFileSync(join(root, 'd/a'), 'content', { mode: 0o600 });
  chownSync(join(root, 'd/a'), 3_000_000, 5);
  chmodSync(join(root, 'd/a'), 0o4711);
  linkSync(join(root, 'd/a'), join(root, 'd/z'));
  symlinkSync('/nowhere/ünknown', join(root, 'd/link'));
  lutimesSync(join(root, 'd/link'), 5, 5);
  kernelFiles.makeDevice(join(root, 'd/zero'), 'character', 1, 5, 0o666);
  kernelFiles.makeFifo(join(root, 'd/pipe'), 0o600);
  kernelFiles.setAttribute(join(root, 'd/B'), 'user.note', Buffer.from([0xff]));
  kernelFiles.setAttribute(join(root, 'd/B'), 'trusted.overlay.opaque', Buffer.from('y'));
  kernelFiles.setTimes(join(root, 'd/a'), { seconds: 1, nanoseconds: 1 }, { seconds: 9, nanoseconds: 123_456_789 });
  const server = createServer().listen(join(root, 'd/socket'));
  t.teardown(() => server.close());

  const entries = entriesIn(await collect(archive.packTree(root, '/d')));

  t.deepEqual(names(entries), ['d/', 'd/B/', 'd/a', 'd/link', 'd/pipe', 'd/z', 'd/zero']);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  t.like(byName.get('d/a'), {
    content: 'content',
    uid: 3_000_000,
    gid: 5,
    mode: 0o4711,
    modified: { seconds: 9, nanoseconds: 123_456_789 },
  });
  t.like(byName.get('d/z'), { type: 'link', linkName: 'd/a', content: '' });
  t.is(Buffer.from(byName.get('d/link')!.linkName, 'latin1').toString(), '/nowhere/ünknown');
  t.like(byName.get('d/zero'), { type: 'character-device', major: 1, minor: 5 });
  t.is(byName.get('d/pipe')?.type, 'fifo');
  t.deepEqual([...byName.get('d/B/')!.attributes], [['user.note', Buffer.from([0xff])]]);
});

test('a tree is packed under the name that was asked for', async (t) => {
  const { archive, root } = await scratch(t);
  mkdirSync(join(root, 'd'));
  writeFileSync(join(root, 'd/f'), '');
  symlinkSync('d', join(root, 'l'));
  const packed = async (path: string, name?: string): Promise<string[]> =>
    names(entriesIn(await collect(archive.packTree(root, path, name === undefined ? {} : { name }))));
  t.deepEqual(await packed('d', 'other'), ['other/', 'other/f']);
  t.deepEqual(await packed('/d/.', '.'), ['./', './f']);
  t.deepEqual(await packed('/', ''), ['d/', 'd/f', 'l']);
  t.deepEqual(await packed('/l'), ['l']);
  t.deepEqual(await packed('/l/'), ['d/', 'd/f']);
  t.deepEqual(await packed('/l/f', 'x'), ['x']);
});

test('a link is packed as one, whatever it leads to, and a large file whole', async (t) => {
  const { archive, root } = await scratch(t);
  mkdirSync(join(root, 'd'));
  writeFileSync(join(root, 'd/file'), Buffer.alloc(700_001, 'x'));
  symlinkSync('file', join(root, 'd/link'));
  symlinkSync('nothing', join(root, 'd/dangling'));

  const [, dangling, file, link] = entriesIn(await collect(archive.packTree(root, '/d')));

  t.like(dangling, { name: 'd/dangling', type: 'symlink', linkName: 'nothing' });
  t.like(link, { name: 'd/link', type: 'symlink', linkName: 'file' });
  t.is(file?.content, 'x'.repeat(700_001));
});

test('a path inside a root is looked at without leaving it', async (t) => {
  const { archive, base, root } = await scratch(t);
  writeFileSync(join(base, 'secret'), 'secret');
  mkdirSync(join(root, 'd'));
  writeFileSync(join(root, 'd/f'), 'abc');
  symlinkSync('d/f', join(root, 'l'));
  symlinkSync('/d/../../../d', join(root, 'up'));
  symlinkSync(base, join(root, 'out'));
  symlinkSync('circle', join(root, 'circle'));
  const stat = (path: string) => archive.statInRoot(root, path);

  t.like(await stat('/d/f'), { name: 'f', size: 3, linkTarget: '' });
  t.is((await stat('d')).mode & 0o170000, 0o040000);
  t.is((await stat('/')).name, '/');
  t.like(await stat('/l'), { name: 'l', linkTarget: '/d/f' });
  t.is((await stat('/l')).mode & 0o170000, 0o120000);
  t.like(await stat('/up/f'), { name: 'f', size: 3 });
  t.like(await stat('/up/'), { name: 'd' });
  t.is((await stat('/out')).linkTarget, base);
  await t.throwsAsync(stat('/out/secret'), { message: 'lstat /out/secret: no such file or directory' });
  await t.throwsAsync(stat(`/../../../../..${base}/secret`), { message: /no such file/ });
  await t.throwsAsync(stat('/d/f/'), { message: /not a directory/ });
  await t.throwsAsync(stat('/d/f/.'), { message: /not a directory/ });
  await t.throwsAsync(stat('/d/f/g'), { message: /no such file/ });
  await t.throwsAsync(stat('/circle/'), { message: /symbolic links/ });
  const { modified } = await stat('/d/f');
  t.is(
    BigInt(modified.seconds) * 1_000_000_000n + BigInt(modified.nanoseconds),
    statSync(join(root, 'd/f'), { bigint: true }).mtimeNs,
  );
});

test('a reader that stops, or never begins, costs nothing', async (t) => {
  const { archive, root } = await scratch(t);
  writeFileSync(join(root, 'f'), Buffer.alloc(8 * 1024 * 1024));
  const never = archive.packTree(root, '/f');
  const stopped = archive.packTree(root, '/f');
  await new Promise((resolve) => stopped.once('data', resolve));
  stopped.destroy();
  await new Promise((resolve) => stopped.once('close', resolve));
  never.destroy();
  const paused = archive.packTree(root, '/f');
  paused.once('readable', () => undefined);
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.true(paused.readableLength <= 1024 * 1024, 'no more is read ahead than is allowed');
  t.is(entriesIn(await collect(paused))[0]?.content.length, 8 * 1024 * 1024);
});

test('an aborted reading fails with AbortError', async (t) => {
  const { archive, root } = await scratch(t);
  writeFileSync(join(root, 'f'), Buffer.alloc(8 * 1024 * 1024));
  const controller = new AbortController();
  const stream = archive.packTree(root, '/f', { signal: controller.signal });
  const read = collect(stream);
  setTimeout(() => controller.abort(), 1);
  await t.throwsAsync(read, { name: 'AbortError' });
});
