import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { archiveOf, member } from '@gantry/lib-archive/testing';
import { kernelFiles } from '@gantry/lib-linux/files';
import test from 'ava';
import { collect, scratch, streamOf } from './testing/scratch.js';

test('a tree that is too deep for any path is removed', async (t) => {
  const { archive, root } = await scratch(t);
  const name = 'n'.repeat(200);
  // Made from the inside out: the whole is moved down one step again and again.
  for (let depth = 0; depth < 100; depth++) {
    const step = join(root, 'step');
    mkdirSync(step);
    writeFileSync(join(step, 'file'), '');
    if (existsSync(join(root, name))) renameSync(join(root, name), join(step, name));
    renameSync(step, join(root, name));
  }
  await archive.removeTree(root);
  t.false(existsSync(root));
  await archive.removeTree(root);
});

test('removing a tree follows no link', async (t) => {
  const { archive, base, root } = await scratch(t);
  mkdirSync(join(base, 'other'));
  writeFileSync(join(base, 'other/file'), '');
  symlinkSync(join(base, 'other'), join(root, 'link'));
  await archive.removeTree(root);
  t.deepEqual(readdirSync(join(base, 'other')), ['file']);
});

test('a file with several names is counted once', async (t) => {
  const { archive, root } = await scratch(t);
  mkdirSync(join(root, 'd'));
  writeFileSync(join(root, 'd/a'), Buffer.alloc(1000));
  linkSync(join(root, 'd/a'), join(root, 'b'));
  writeFileSync(join(root, 'c'), Buffer.alloc(234));
  t.is(await archive.treeSize(root), 1234);
});

test('a copy of a tree has the same content and metadata', async (t) => {
  const { archive, base, root, apply } = await scratch(t);
  await apply(
    archiveOf(
      member('./', { mode: 0o750 }),
      member('d/', {
        mode: 0o2775,
        gid: 7,
        attributes: { 'user.a': Buffer.from('b') },
        modified: { seconds: 10, nanoseconds: 7 },
      }),
      member('d/f', { body: 'content', mode: 0o4755, uid: 5, attributes: { 'user.f': Buffer.from('g') } }),
      member('d/h', { type: 'link', linkName: 'd/f' }),
      member('d/\xff', { type: 'symlink', linkName: '\xfe' }),
      member('d/p', { type: 'fifo', mode: 0o600 }),
      member('d/n', { type: 'character-device', major: 1, minor: 3 }),
    ),
  );
  const copy = join(base, 'copy');
  mkdirSync(copy);
  await archive.copyTree(root, copy);
  const [one, other] = await Promise.all(
    [root, copy].map((tree) => collect(archive.packTree(tree, '/', { name: '.' }))),
  );
  t.deepEqual(one, other);
  t.is(statSync(join(copy, 'd/f')).nlink, 2);
});

test('differences between a tree and the one it was copied from are found', async (t) => {
  const { archive, base, root, apply } = await scratch(t);
  const names = ['same/f', 'changed/f', 'gone/deep/f', 'mode/f', 'file', 'becomes', 'link'];
  await apply(archiveOf(...names.map((name) => member(name, { body: 'old' }))));
  const tree = join(base, 'tree');
  mkdirSync(tree);
  await archive.copyTree(root, tree);
  t.deepEqual(await archive.listChanges({ tree, base: root }), []);

  writeFileSync(join(tree, 'changed/f'), 'new content');
  rmSync(join(tree, 'gone'), { recursive: true });
  chmodSync(join(tree, 'mode'), 0o700);
  mkdirSync(join(tree, 'added/deep'), { recursive: true });
  writeFileSync(join(tree, 'added/deep/f'), '12345');
  rmSync(join(tree, 'becomes'));
  mkdirSync(join(tree, 'becomes'));

  const changes = await archive.listChanges({ tree, base: root });
  t.deepEqual(
    changes.map(({ kind, path }) => `${kind[0]} ${path}`),
    ['a /added', 'a /added/deep', 'a /added/deep/f', 'm /becomes', 'm /changed', 'm /changed/f', 'd /gone', 'm /mode'],
  );
  t.is(await archive.treeSize(tree, { base: root }), 11 + 5);
  t.is(await archive.treeSize(root), names.length * 3);

  const diff = await collect(archive.packChanges({ tree, base: root }));
  await archive.extractLayer({ stream: streamOf(diff) }, root, { whiteouts: 'apply' });
  t.deepEqual(await archive.listChanges({ tree, base: root }), []);
});

test('changes in the upper directory of an overlay are listed as the merged tree shows them', async (t) => {
  const { archive, base, root: upper } = await scratch(t);
  const lower = join(base, 'lower');
  for (const path of ['d/kept', 'd/gone', 'd/changed', 'opaque/old', 'opaque/again', 'e/f']) {
    mkdirSync(join(lower, path, '..'), { recursive: true });
    writeFileSync(join(lower, path), 'old');
  }
  const mark = (path: string) => kernelFiles.makeDevice(join(upper, path), 'character', 0, 0, 0);
  mkdirSync(join(upper, 'd/new'), { recursive: true });
  writeFileSync(join(upper, 'd/changed'), 'new');
  writeFileSync(join(upper, 'd/new/f'), 'new');
  mark('d/gone');
  mark('d/never');
  mkdirSync(join(upper, 'opaque'));
  kernelFiles.setAttribute(join(upper, 'opaque'), 'trusted.overlay.opaque', Buffer.from('y'));
  writeFileSync(join(upper, 'opaque/again'), 'x');
  mkdirSync(join(upper, 'e'));
  const { atimeMs, mtimeNs } = { atimeMs: 0, mtimeNs: statSync(join(lower, 'e'), { bigint: true }).mtimeNs };
  const time = { seconds: Number(mtimeNs / 1_000_000_000n), nanoseconds: Number(mtimeNs % 1_000_000_000n) };
  kernelFiles.setTimes(join(upper, 'e'), { seconds: atimeMs, nanoseconds: 0 }, time);

  const changes = await archive.listChanges({ upper, lower: [lower] });

  t.deepEqual(
    changes.map(({ kind, path }) => `${kind[0]} ${path}`),
    ['m /d', 'm /d/changed', 'd /d/gone', 'a /d/new', 'a /d/new/f', 'm /opaque', 'm /opaque/again', 'd /opaque/old'],
  );

  const diff = await collect(archive.packChanges({ upper, lower: [lower] }));
  await archive.extractLayer({ stream: streamOf(diff) }, lower, { whiteouts: 'apply' });
  t.deepEqual(readdirSync(join(lower, 'd')).sort(), ['changed', 'kept', 'new']);
  t.deepEqual(readdirSync(join(lower, 'opaque')), ['again']);
  t.is(readFileSync(join(lower, 'd/changed'), 'utf8'), 'new');
});

test('the root is packed only when its owner or mode differs', async (t) => {
  const { archive, base, root: upper } = await scratch(t);
  const lower = join(base, 'lower');
  mkdirSync(lower);
  const packed = async () => (await collect(archive.packChanges({ upper, lower: [lower] }))).length;
  t.is(await packed(), 1024);
  chmodSync(upper, 0o700);
  t.true((await packed()) > 1024);
});
