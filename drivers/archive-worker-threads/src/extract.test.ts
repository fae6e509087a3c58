import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { archiveOf, header, member, padded, pax } from '@gantry/lib-archive/testing';
import { kernelFiles } from '@gantry/lib-linux/files';
import test from 'ava';
import { collect, scratch, streamOf } from './testing/scratch.js';

const digest = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const opaque = (path: string): string | undefined =>
  kernelFiles.getAttribute(path, 'trusted.overlay.opaque')?.toString();
const isMark = (path: string): boolean => lstatSync(path).isCharacterDevice() && lstatSync(path).rdev === 0;

test('a layer is made with everything its entries say', async (t) => {
  const { apply, root } = await scratch(t);
  const capability = Buffer.from([1, 0, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const bytes = archiveOf(
    member('./', { mode: 0o751, uid: 3, modified: { seconds: 1000, nanoseconds: 7 } }),
    member('dir/', { mode: 0o1777, modified: { seconds: 2000, nanoseconds: 123_456_789 } }),
    member('dir/file', {
      body: 'content',
      mode: 0o6755,
      uid: 1234,
      gid: 2_000_000_000,
      modified: { seconds: -5, nanoseconds: 999_999_999 },
    }),
    member('dir/plain', { body: 'x', mode: 0o640 }),
    member('dir/hard', { type: 'link', linkName: 'dir/file' }),
    member('dir/soft', { type: 'symlink', linkName: '/dir/file', uid: 9, modified: { seconds: 77, nanoseconds: 1 } }),
    member('dir/pipe', { type: 'fifo', mode: 0o620 }),
    member('dir/null', { type: 'character-device', major: 1, minor: 3, mode: 0o666 }),
    member('dir/disk', { type: 'block-device', major: 259, minor: 70_000, mode: 0o660, gid: 6 }),
    member('ping', {
      mode: 0o755,
      attributes: { 'security.capability': capability, 'user.note': Buffer.from([0xff, 0]) },
    }),
  );

  const result = await apply(bytes);

  t.deepEqual(result, { diffId: digest(bytes), size: 8 + '/dir/file'.length, tarSize: bytes.length, entries: 10 });
  const at = (path: string) => lstatSync(join(root, path), { bigint: true });
  const facts = (path: string) => [Number(at(path).mode) & 0o7777, Number(at(path).uid), Number(at(path).gid)];
  t.deepEqual(facts(''), [0o751, 3, 0]);
  t.is(at('').mtimeNs, 1_000_000_000_007n);
  t.deepEqual(facts('dir'), [0o1777, 0, 0]);
  t.is(at('dir').mtimeNs, 2_000_123_456_789n);
  t.deepEqual(facts('dir/file'), [0o6755, 1234, 2_000_000_000]);
  t.is(at('dir/file').mtimeNs, -4_000_000_001n);
  t.is(readFileSync(join(root, 'dir/file'), 'utf8'), 'content');
  t.deepEqual(facts('dir/plain'), [0o640, 0, 0]);
  t.is(at('dir/hard').ino, at('dir/file').ino);
  t.is(readlinkSync(join(root, 'dir/soft')), '/dir/file');
  t.is(Number(at('dir/soft').uid), 9);
  t.is(at('dir/soft').mtimeNs, 77_000_000_001n);
  t.true(at('dir/pipe').isFIFO());
  t.is(facts('dir/pipe')[0], 0o620);
  t.is(at('dir/null').rdev, 0x103n);
  t.deepEqual(facts('dir/disk'), [0o660, 0, 6]);
  t.true(at('dir/disk').isBlockDevice());
  t.deepEqual(kernelFiles.getAttribute(join(root, 'ping'), 'security.capability'), capability);
  t.deepEqual(kernelFiles.getAttribute(join(root, 'ping'), 'user.note'), Buffer.from([0xff, 0]));
});

test('names that are not UTF-8 are kept byte by byte', async (t) => {
  const { apply, root, archive, journal } = await scratch(t);
  const bytes = archiveOf(
    member('\xff\xfe/', { mode: 0o700 }),
    member('\xff\xfe/\xe9', { body: 'x', attributes: { 'user.a': Buffer.from('b') } }),
    member('\xff\xfe/pipe\x80', { type: 'fifo' }),
    member('\xff\xfe/link', { type: 'symlink', linkName: '\xe9' }),
    member('gr\xc3\xb6\xc3\x9fe', { type: 'link', linkName: '\xff\xfe/\xe9' }),
  );
  await apply(bytes);
  t.deepEqual(readdirSync(root, 'latin1').sort(), ['gr\xc3\xb6\xc3\x9fe', '\xff\xfe']);
  t.is(readFileSync(join(root, 'größe'), 'utf8'), 'x');
  t.is(digest(await collect(archive.layerTar(root, journal))), digest(bytes));
  const again = await collect(archive.packChanges({ upper: root, lower: [] }));
  t.true(again.includes(Buffer.from('\xff\xfe/\xe9', 'latin1')));
});

test('sparse files get their holes', async (t) => {
  const { apply, root, archive, journal } = await scratch(t);
  const map = { 'GNU.sparse.size': '100000000', 'GNU.sparse.name': 'sparse', 'GNU.sparse.map': '0,3,50000000,4' };
  const bytes = archiveOf(pax(map), header('x', '0', 7), padded('abcdefg'));
  const { size } = await apply(bytes);
  const status = statSync(join(root, 'sparse'));
  t.is(status.size, 100_000_000);
  t.is(size, 100_000_000);
  t.true(status.blocks * 512 < 1_000_000);
  const content = readFileSync(join(root, 'sparse'));
  t.is(content.toString('latin1', 50_000_000, 50_000_004), 'defg');
  t.is(digest(await collect(archive.layerTar(root, journal))), digest(bytes));
});

test('no name leads out of the directory', async (t) => {
  const { apply, root, base } = await scratch(t);
  await apply(
    archiveOf(
      member('/absolute', { body: 'a' }),
      member('../../../../up', { body: 'b' }),
      member('dir/../../../over', { body: 'c' }),
      member('out', { type: 'symlink', linkName: base }),
      member('higher', { type: 'symlink', linkName: '../../..' }),
      member('higher/through', { body: 'd' }),
      member('hard', { type: 'link', linkName: '../../../absolute' }),
    ),
  );
  t.deepEqual(readdirSync(root).sort(), ['absolute', 'hard', 'higher', 'out', 'over', 'through', 'up']);
  t.deepEqual(readdirSync(base).sort(), ['journal', 'root']);
});

test('an entry below a link is made where the link leads inside the directory', async (t) => {
  const { apply, root } = await scratch(t);
  await apply(
    archiveOf(
      member('real/deep/'),
      member('absolute', { type: 'symlink', linkName: '/real' }),
      member('relative', { type: 'symlink', linkName: 'absolute/deep/../deep' }),
      member('absolute/one', { body: '1' }),
      member('relative/two', { body: '2' }),
    ),
  );
  t.is(readFileSync(join(root, 'real/one'), 'utf8'), '1');
  t.is(readFileSync(join(root, 'real/deep/two'), 'utf8'), '2');
});

test('hostile archives are refused, naming the entry', async (t) => {
  const cases: [string, Buffer, RegExp][] = [
    [
      'link in a circle',
      Buffer.concat([
        member('a', { type: 'symlink', linkName: 'b' }),
        member('b', { type: 'symlink', linkName: 'a' }),
        member('a/f'),
      ]),
      /a\/f.*symbolic links/,
    ],
    ['file as a directory', Buffer.concat([member('f'), member('f/g')]), /f\/g: .*not a directory/],
    ['hard link to nothing', member('h', { type: 'link', linkName: 'nothing' }), /h: .*nothing/],
    [
      'hard link to a directory',
      Buffer.concat([member('d/'), member('h', { type: 'link', linkName: 'd' })]),
      /h: .*directory/,
    ],
    ['name too long for a path', member('d/'.repeat(2100)), /too long/],
    ['name too long for a file', member('x'.repeat(300)), /xxx/],
    ['symlink to nothing', member('s', { type: 'symlink' }), /s: /],
    ['root as a file', member('.', { type: 'file' }), /root/],
    ['whiteout of its directory', member('d/.wh..'), /whiteout/],
    ['whiteout of the one above', member('d/.wh...'), /whiteout/],
    ['whiteout with content below', member('d/.wh.x/y'), /whiteout/],
  ];
  for (const [what, bytes, message] of cases) {
    const { apply } = await scratch(t);
    await t.throwsAsync(apply(archiveOf(bytes)), { message }, what);
    const error = await apply(archiveOf(bytes), { journal: undefined as never }).catch((thrown: unknown) => thrown);
    t.is((error as { kind?: string }).kind, 'invalid-argument', what);
  }
});

test('damaged archives are refused', async (t) => {
  const { apply, archive, root } = await scratch(t);
  const whole = archiveOf(member('file', { body: Buffer.alloc(10_000, 'x') }));
  await t.throwsAsync(apply(whole.subarray(0, 5000)), { message: /file: .*truncated/ });
  await t.throwsAsync(archive.extract({ stream: streamOf(Buffer.alloc(3000, 'no')) }, root, '/'), {
    message: /invalid tar header/,
  });
  await t.throwsAsync(apply(whole, { journal: undefined as never, maxBytes: 6000 }), { message: /6000 bytes/ });
  const wrong = `sha256:${'0'.repeat(64)}`;
  await t.throwsAsync(apply(whole, { journal: undefined as never, expectedDiffId: wrong }), { message: /digest/ });
});

test("marks of overlayfs in an archive are not the archive's to set", async (t) => {
  const { apply, root } = await scratch(t);
  const attributes = { 'trusted.overlay.opaque': Buffer.from('y'), 'trusted.overlay.redirect': Buffer.from('/etc') };
  await apply(archiveOf(member('dir/', { attributes })));
  t.deepEqual(kernelFiles.listAttributes(join(root, 'dir')), []);
});

test('whiteouts become marks of overlayfs', async (t) => {
  const { apply, root } = await scratch(t);
  await apply(
    archiveOf(
      member('dir/'),
      member('dir/.wh.gone'),
      member('hidden/'),
      member('hidden/.wh..wh..opq'),
      member('hidden/new', { body: 'x' }),
      member('.wh..wh.plnk/', {}),
      member('.wh..wh.aufs'),
    ),
  );
  t.true(isMark(join(root, 'dir/gone')));
  t.is(opaque(join(root, 'hidden')), 'y');
  t.deepEqual(readdirSync(root).sort(), ['dir', 'hidden']);
});

test('a whiteout is about the layers below, wherever it stands in the archive', async (t) => {
  const { apply, root } = await scratch(t);
  await apply(
    archiveOf(
      member('.wh.before'),
      member('before/'),
      member('before/file'),
      member('after/'),
      member('after/file'),
      member('.wh.after'),
      member('.wh.file'),
      member('file', { body: 'new' }),
      member('kept', { body: 'kept' }),
      member('.wh.kept'),
    ),
  );
  t.is(opaque(join(root, 'before')), 'y');
  t.is(opaque(join(root, 'after')), 'y');
  t.deepEqual(readdirSync(join(root, 'after')), ['file']);
  t.is(readFileSync(join(root, 'file'), 'utf8'), 'new');
  t.is(readFileSync(join(root, 'kept'), 'utf8'), 'kept');
});

test('whiteouts are carried out on a tree with the layers below in it', async (t) => {
  const { apply, root } = await scratch(t);
  for (const path of ['dir/old', 'dir/gone/deep/file', 'hidden/old/file', 'both/old']) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), 'old');
  }
  await apply(
    archiveOf(
      member('dir/.wh.gone'),
      member('hidden/new'),
      member('hidden/.wh..wh..opq'),
      member('both/'),
      member('both/new'),
      member('.wh.both'),
      member('.wh.absent'),
    ),
    { whiteouts: 'apply' },
  );
  t.deepEqual(readdirSync(join(root, 'dir')), ['old']);
  t.deepEqual(readdirSync(join(root, 'hidden')), ['new']);
  t.deepEqual(readdirSync(join(root, 'both')), ['new']);
  t.deepEqual(readdirSync(root).sort(), ['both', 'dir', 'hidden']);
});

test('a missing directory becomes like the one of the layers below', async (t) => {
  const { apply, root, base } = await scratch(t);
  const [upper, lower] = [join(base, 'upper'), join(base, 'lower')];
  for (const path of ['tmp', 'usr/lib', 'hidden/inner', 'local']) mkdirSync(join(lower, path), { recursive: true });
  chownSync(join(lower, 'local'), 0, 50);
  chmodSync(join(lower, 'local'), 0o2775);
  chmodSync(join(lower, 'tmp'), 0o1777);
  chownSync(join(lower, 'usr'), 5, 6);
  chmodSync(join(lower, 'hidden/inner'), 0o711);
  symlinkSync('usr/lib', join(lower, 'lib'));
  mkdirSync(join(upper, 'hidden'), { recursive: true });
  kernelFiles.setAttribute(join(upper, 'hidden'), 'trusted.overlay.opaque', Buffer.from('y'));

  await apply(
    archiveOf(member('tmp/a'), member('lib/b'), member('hidden/inner/c'), member('new/d'), member('local/e')),
    {
      lower: [upper, lower],
    },
  );

  t.is(statSync(join(root, 'tmp')).mode & 0o7777, 0o1777);
  t.is(statSync(join(root, 'usr')).uid, 5);
  t.true(existsSync(join(root, 'usr/lib/b')), 'the link of a lower layer is followed');
  t.is(statSync(join(root, 'hidden/inner')).mode & 0o7777, 0o755, 'what is hidden is not seen');
  t.is(statSync(join(root, 'new')).mode & 0o7777, 0o755);
  const [local, inLocal] = [statSync(join(root, 'local')), statSync(join(root, 'local/e'))];
  t.deepEqual([local.mode & 0o7777, local.gid, inLocal.gid], [0o2775, 50, 0], 'also in what gives its group away');
});

test('files are what their entries say in a directory that gives away its group and an access list', async (t) => {
  const { archive, root } = await scratch(t);
  const shared = join(root, 'shared');
  mkdirSync(shared);
  chownSync(shared, 0, 50);
  chmodSync(shared, 0o2775);
  // Version 2; owner, group, mask and others may only read.
  const entry = (tag: number): number[] => [tag, 0, 4, 0, 255, 255, 255, 255];
  const readOnly = Buffer.from([2, 0, 0, 0, ...entry(1), ...entry(4), ...entry(16), ...entry(32)]);
  kernelFiles.setAttribute(shared, 'system.posix_acl_default', readOnly);
  const bytes = archiveOf(member('plain', { mode: 0o664 }), member('program', { mode: 0o4755, uid: 5, gid: 6 }));

  await archive.extract({ stream: streamOf(bytes) }, root, '/shared');

  const found = ['plain', 'program'].map((name) => statSync(join(shared, name)));
  t.deepEqual(
    found.map(({ mode, uid, gid }) => [mode & 0o7777, uid, gid]),
    [
      [0o664, 0, 0],
      [0o4755, 5, 6],
    ],
  );
});
