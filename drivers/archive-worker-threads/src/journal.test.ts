import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveOf, extension, gzipped, header, member, padded, pax } from '@gantry/lib-archive/testing';
import test from 'ava';
import { collect, scratch } from './testing/scratch.js';

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const body = (letter: string, size = 700): Buffer => Buffer.alloc(size, letter);

const archives: Readonly<Record<string, Buffer>> = {
  'with nothing in it': archiveOf(),
  'of no bytes at all': Buffer.alloc(0),
  'without its end': member('f', { body: 'x' }),
  'with trailing zeros and garbage': Buffer.concat([
    archiveOf(member('f', { body: 'x' })),
    Buffer.alloc(9000),
    Buffer.from('garbage'),
  ]),
  'with garbage in the padding': Buffer.concat([
    header('f', '0', 3),
    Buffer.from('abc'),
    Buffer.alloc(509, 'p'),
    Buffer.alloc(1024),
  ]),
  'with GNU long names': archiveOf(
    extension('L', Buffer.from(`${'d/'.repeat(80)}f\0`)),
    header('short', '0', 700),
    padded(body('a')),
  ),
  'with PAX headers of all kinds': archiveOf(
    pax({ comment: 'hello' }, 'g'),
    pax({ mtime: '1.5', 'SCHILY.xattr.user.a': 'b', unknown: 'x' }),
    header('f', '0', 700),
    padded(body('a')),
  ),
  'with numbers in base 256': archiveOf(
    header('f', '0', 0, [108, Buffer.from([0x80, 0, 0, 0, 0x12, 0x34, 0x56, 0x78])]),
  ),
  'with a payload in a whiteout': archiveOf(header('.wh.f', '0', 700), padded(body('w'))),
  'with a volume label that has content': archiveOf(
    header('label', 'V', 700),
    padded(body('l')),
    member('f', { body: 'x' }),
  ),
  'with files of every odd size': archiveOf(
    ...[0, 1, 511, 512, 513, 70_000, 1_100_000].map((size) => member(`f${size}`, { body: body('s', size) })),
  ),
  'with the same name again': archiveOf(
    member('f', { body: body('1') }),
    member('f', { body: body('2') }),
    member('f', { body: body('3', 5) }),
  ),
  'with a directory in the place of a file': archiveOf(
    member('f', { body: body('1') }),
    member('f/'),
    member('f/g', { body: body('2') }),
  ),
  'with a file in the place of a directory': archiveOf(
    member('d/'),
    member('d/e/'),
    member('d/e/f', { body: body('1') }),
    member('d/g', { body: body('2') }),
    member('d', { body: body('3') }),
  ),
  'with hard links of what is replaced': archiveOf(
    member('f', { body: body('1') }),
    member('g', { type: 'link', linkName: 'f' }),
    member('f', { body: body('2') }),
    member('g', { type: 'link', linkName: 'f' }),
    member('f', { type: 'symlink', linkName: 'elsewhere' }),
  ),
  'with a file below a link that is replaced': archiveOf(
    member('a/'),
    member('b/'),
    member('l', { type: 'symlink', linkName: 'a' }),
    member('l/f', { body: body('1') }),
    member('l', { type: 'symlink', linkName: 'b' }),
    member('l/f', { body: body('2') }),
    member('l/'),
    member('l/f', { body: body('3') }),
  ),
  'with a file replaced under another name': archiveOf(
    member('a/'),
    member('l', { type: 'symlink', linkName: 'a' }),
    member('a/f', { body: body('1') }),
    member('l/f', { body: body('2') }),
  ),
  'with a hard link to itself': archiveOf(
    member('f', { body: body('1') }),
    member('f', { type: 'link', linkName: './f' }),
  ),
};

for (const [what, bytes] of Object.entries(archives)) {
  test(`a layer ${what} is written again byte by byte`, async (t) => {
    const { apply, archive, root, journal } = await scratch(t);
    const { diffId } = await apply(bytes);
    t.is(diffId, `sha256:${digest(bytes)}`);
    t.is(digest(await collect(archive.layerTar(root, journal))), digest(bytes));
  });

  test(`a layer ${what} is written again from a tree with whiteouts carried out`, async (t) => {
    const { apply, archive, root, journal } = await scratch(t);
    await apply(gzipped(bytes), { whiteouts: 'apply' });
    t.is(digest(await collect(archive.layerTar(root, journal))), digest(bytes));
  });
}

test('only what was replaced is kept apart', async (t) => {
  const { apply, journal } = await scratch(t);
  await apply(archiveOf(member('a', { body: 'a' }), member('f', { body: '1' }), member('f', { body: '2' })));
  t.deepEqual(readdirSync(journal.payloads), ['1']);
});

test('nothing is kept apart when nothing was replaced', async (t) => {
  const { apply, journal } = await scratch(t);
  await apply(archiveOf(member('a', { body: 'a' })));
  t.false(existsSync(journal.payloads));
});

test('a layer whose files were changed is not written', async (t) => {
  const { apply, archive, root, journal } = await scratch(t);
  await apply(archiveOf(member('f', { body: 'content' })));
  writeFileSync(join(root, 'f'), 'other');
  await t.throwsAsync(collect(archive.layerTar(root, journal)), { message: /damaged: f/ });
});

test('a journal that was cut off is noticed', async (t) => {
  const { apply, archive, root, journal } = await scratch(t);
  await apply(archiveOf(member('f', { body: 'content' })));
  writeFileSync(journal.file, gzipped(Buffer.from([2, 0])));
  await t.throwsAsync(collect(archive.layerTar(root, journal)), { message: /journal .* damaged/ });
});
