import test from 'ava';
import { pack } from 'tar-stream';
import { archiveOf, extension, header, member, padded, pax } from '../testing/raw-tar.js';
import type { TarEntry } from './entry.js';
import { TarReader } from './tar-reader.js';

interface Read {
  readonly entries: readonly (TarEntry & { readonly content: string })[];
  readonly bytes: Buffer;
}

/** Reads an archive in pieces of one size, all memory overwritten after each. */
function read(archive: Buffer, pieceSize = archive.length): Read {
  const entries: (TarEntry & { content: string })[] = [];
  const bytes: Buffer[] = [];
  const reader = new TarReader({
    raw: (piece) => void bytes.push(Buffer.from(piece)),
    begin: (entry) => void entries.push({ ...entry, content: '' }),
    payload: (piece) => {
      const last = entries.at(-1)!;
      last.content += piece.toString('latin1');
      bytes.push(Buffer.from(piece));
    },
    end: () => undefined,
  });
  for (let at = 0; at < archive.length; at += pieceSize) {
    const piece = Buffer.from(archive.subarray(at, at + pieceSize));
    reader.push(piece);
    piece.fill(0xee);
  }
  reader.finish();
  return { entries, bytes: Buffer.concat(bytes) };
}

const names = (archive: Buffer): string[] => read(archive).entries.map(({ name }) => name);

const fails = (archive: Buffer): string => {
  try {
    read(archive);
    return 'read without an error';
  } catch (error) {
    return (error as Error).message;
  }
};

const long = `${'directory/'.repeat(30)}file`;

const everything = archiveOf(
  member('./', { mode: 0o700 }),
  member('file', { body: 'content', mode: 0o4755, uid: 7, gid: 8 }),
  member('empty'),
  member('link', { type: 'link', linkName: 'file' }),
  member('symlink', { type: 'symlink', linkName: '../elsewhere' }),
  member('null', { type: 'character-device', major: 1, minor: 3 }),
  member('loop', { type: 'block-device', major: 7, minor: 300 }),
  member('pipe', { type: 'fifo' }),
  member(long, { body: 'deep' }),
  member('ids', { uid: 4_000_000_000, gid: 3_000_000 }),
  member('times', { modified: { seconds: -2, nanoseconds: 500_000_001 } }),
  member('attributes', { body: 'x', attributes: { 'security.capability': Buffer.from([1, 0, 0xff, 0x80, 10, 0]) } }),
  member('caf\xe9', { body: 'latin1 name' }),
);

test('an archive reads the same in pieces of any size', (t) => {
  const whole = read(everything);
  for (const size of [1, 7, 511, 512, 513, 4096]) t.deepEqual(read(everything, size), whole, `pieces of ${size}`);
});

test('raw bytes and payload together are the archive', (t) => {
  const archive = Buffer.concat([everything, Buffer.alloc(8000), Buffer.from('what follows the end')]);
  for (const size of [1, 600, archive.length]) t.deepEqual(read(archive, size).bytes, archive);
});

test('all metadata of an entry is read', (t) => {
  const byName = new Map(read(everything).entries.map((entry) => [entry.name, entry]));
  t.like(byName.get('./'), { type: 'directory', mode: 0o700 });
  t.like(byName.get('file'), { type: 'file', content: 'content', mode: 0o4755, uid: 7, gid: 8, size: 7 });
  t.like(byName.get('link'), { type: 'link', linkName: 'file', size: 0 });
  t.like(byName.get('symlink'), { type: 'symlink', linkName: '../elsewhere' });
  t.like(byName.get('null'), { type: 'character-device', major: 1, minor: 3 });
  t.like(byName.get('loop'), { type: 'block-device', major: 7, minor: 300 });
  t.like(byName.get('pipe'), { type: 'fifo' });
  t.like(byName.get(long), { content: 'deep' });
  t.like(byName.get('ids'), { uid: 4_000_000_000, gid: 3_000_000 });
  t.deepEqual(byName.get('times')?.modified, { seconds: -2, nanoseconds: 500_000_001 });
  const capability = byName.get('attributes')?.attributes.get('security.capability');
  t.deepEqual(capability, Buffer.from([1, 0, 0xff, 0x80, 10, 0]));
  t.is(byName.get('caf\xe9')?.content, 'latin1 name');
});

test('padding of the last block may be missing, content may not', (t) => {
  const archive = Buffer.concat([member('first', { body: 'one' }), member('last', { body: 'two' })]);
  for (const missing of [1, 509]) t.is(read(archive.subarray(0, -missing), 7).entries.at(-1)?.content, 'two');
  t.is(fails(archive.subarray(0, -510)), 'last: unexpected EOF: the archive is truncated');
});

test('an archive of another writer is read', async (t) => {
  const packed = pack();
  packed.entry({ name: long, mode: 0o600, uid: 5, gid: 6, mtime: new Date(1000) }, 'body');
  packed.entry({ name: 'é', type: 'symlink', linkname: 'ü' });
  packed.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of packed) pieces.push(Buffer.from(piece as Uint8Array));

  const [file, link] = read(Buffer.concat(pieces)).entries;

  t.like(file, { name: long, mode: 0o600, uid: 5, gid: 6, content: 'body', modified: { seconds: 1, nanoseconds: 0 } });
  t.is(Buffer.from(link!.name, 'latin1').toString(), 'é');
  t.is(Buffer.from(link!.linkName, 'latin1').toString(), 'ü');
});

test('GNU long names count for the next entry only', (t) => {
  const archive = archiveOf(
    extension('L', Buffer.from(`${long}\0`)),
    extension('K', Buffer.from(`${long}-target\0`)),
    header('short', '2', 0),
    header('next', '0', 0),
  );
  const [first, second] = read(archive).entries;
  t.like(first, { name: long, linkName: `${long}-target` });
  t.like(second, { name: 'next', linkName: '' });
});

test('numbers in base 256 are read', (t) => {
  const uid = Buffer.from([0x80, 0, 0, 0, 0x12, 0x34, 0x56, 0x78]);
  const mtime = Buffer.alloc(12, 0xff);
  const [entry] = read(archiveOf(header('big', '0', 0, [108, uid], [136, mtime]))).entries;
  t.like(entry, { uid: 0x12345678, modified: { seconds: -1, nanoseconds: 0 } });
});

test('headers of old archives, without a magic word or a type, are read', (t) => {
  const file = header('old', '0', 0, [156, Buffer.alloc(1)], [257, Buffer.alloc(8)]);
  const directory = header('old-directory/', '0', 0, [156, Buffer.alloc(1)], [257, Buffer.alloc(8)]);
  t.deepEqual(
    read(archiveOf(file, directory)).entries.map(({ type }) => type),
    ['file', 'directory'],
  );
});

test('a ustar prefix is put in front of the name', (t) => {
  t.deepEqual(names(archiveOf(header('name', '0', 0, [345, 'some/prefix']))), ['some/prefix/name']);
});

test('a global header applies until the next one, and a local one overrides it', (t) => {
  const archive = archiveOf(
    pax({ uid: '5', gid: '6' }, 'g'),
    header('one', '0', 0),
    pax({ uid: '7' }),
    header('two', '0', 0),
    pax({ gid: '' }, 'g'),
    header('three', '0', 0),
  );
  t.deepEqual(
    read(archive).entries.map(({ uid, gid }) => [uid, gid]),
    [
      [5, 6],
      [7, 6],
      [5, 0],
    ],
  );
});

test('sizes of entries without content are ignored', (t) => {
  t.deepEqual(names(archiveOf(header('link', '1', 100, [157, 'x']), header('next', '0', 0))), ['link', 'next']);
});

test('a volume label is skipped', (t) => {
  t.deepEqual(names(archiveOf(header('label', 'V', 0), member('file'))), ['file']);
});

test('sparse files of the old format have their map, however long', (t) => {
  const number = (value: number): string => `${value.toString(8).padStart(11, '0')}\0`;
  const first = header(
    'sparse',
    'S',
    512 * 5,
    [257, 'ustar  \0'],
    [386, [0, 1, 2, 3].map((i) => number(i * 4096) + number(512)).join('')],
    [482, '\x01'],
    [483, number(1_000_000)],
  );
  const more = Buffer.alloc(512);
  more.write(number(999_000) + number(512), 0, 'latin1');
  const [entry, next] = read(archiveOf(first, more, Buffer.alloc(512 * 5, 'd'), member('next'))).entries;
  t.deepEqual(
    entry?.sparse?.regions.map(({ offset }) => offset),
    [0, 4096, 8192, 12288, 999_000],
  );
  t.is(entry?.sparse?.realSize, 1_000_000);
  t.is(next?.name, 'next');
});

test('sparse files of all PAX formats have their map', (t) => {
  const regions = [
    { offset: 0, length: 3 },
    { offset: 5000, length: 4 },
  ];
  const sparseName = {
    'GNU.sparse.name': 'real',
    'GNU.sparse.major': '1',
    'GNU.sparse.minor': '0',
    'GNU.sparse.realsize': '6000',
  };
  const prefix = padded('2\n0\n3\n5000\n4\n');
  const ones = archiveOf(
    pax(sparseName),
    header('GNUSparseFile.0/real', '0', prefix.length + 7),
    prefix,
    padded('abcdefg'),
  );
  const zeroOne = archiveOf(
    pax({
      'GNU.sparse.size': '6000',
      'GNU.sparse.numblocks': '2',
      'GNU.sparse.name': 'real',
      'GNU.sparse.map': '0,3,5000,4',
    }),
    header('x', '0', 7),
    padded('abcdefg'),
  );
  for (const archive of [ones, zeroOne]) {
    for (const size of [1, 513, archive.length]) {
      const [entry] = read(archive, size).entries;
      t.like(entry, { name: 'real', size: 7, content: 'abcdefg', sparse: { realSize: 6000, regions } });
    }
  }
});

test('a damaged sparse map is refused', (t) => {
  const archive = (map: string): Buffer =>
    archiveOf(pax({ 'GNU.sparse.size': '6000', 'GNU.sparse.map': map }), header('x', '0', 7), padded('abcdefg'));
  for (const map of ['0,3,1,4', '0,3,5999,4', '0,3', '0,3,5000', '0,3,-1,4', '0,7,x,0'])
    t.regex(fails(archive(map)), /sparse/);
});

test('an archive that ends without its last blocks is complete', (t) => {
  t.deepEqual(names(member('file', { body: 'x' })), ['file']);
  t.deepEqual(names(Buffer.concat([member('file'), Buffer.alloc(512)])), ['file']);
  t.deepEqual(names(Buffer.alloc(0)), []);
});

test('an archive that ends within an entry is refused with its name', (t) => {
  const archive = member('some/file', { body: Buffer.alloc(3000) });
  for (const length of [700, 3500, 100]) t.regex(fails(archive.subarray(0, length)), /unexpected EOF/);
  t.regex(fails(archive.subarray(0, 700)), /some\/file/);
  t.regex(fails(pax({ path: 'x' })), /unexpected EOF/);
});

test('data that is not an archive is refused', (t) => {
  t.regex(fails(Buffer.from('this is no tar'.repeat(100))), /invalid tar header/);
  const flipped = Buffer.from(member('file'));
  flipped[3] = 0x41;
  t.regex(fails(archiveOf(flipped)), /checksum/);
  t.regex(fails(Buffer.concat([Buffer.alloc(512), member('file')])), /after a block of zeros/);
});

test('unknown entry types are refused with the name of the entry', (t) => {
  t.regex(fails(archiveOf(header('strange', 'Q', 0))), /strange.*"Q"/);
});

test('hostile extension headers are refused', (t) => {
  const record = (text: string): Buffer => archiveOf(extension('x', Buffer.from(text)), header('f', '0', 0));
  for (const text of ['-5 a=b\n', '99 a=b\n', '6 a=b', '3 a\n', '6 =bc\n', 'x', '99999999999999999999 a=b\n']) {
    t.regex(fails(record(text)), /PAX/, text);
  }
  t.regex(fails(archiveOf(pax({ path: 'a\0b' }), header('f', '0', 0))), /NUL/);
  t.regex(fails(archiveOf(pax({ size: '-1' }), header('f', '0', 0))), /size/);
  t.regex(fails(archiveOf(pax({ uid: '1e3' }), header('f', '0', 0))), /uid/);
  t.regex(fails(archiveOf(pax({ mtime: 'now' }), header('f', '0', 0))), /mtime/);
  t.regex(fails(header('f', 'x', 5 * 1024 * 1024)), /too large/);
  t.regex(fails(archiveOf(header('f', '0', 0, [124, 'notoctal']))), /octal/);
  t.regex(fails(archiveOf(header('f', '0', 0, [124, Buffer.alloc(12, 0xff)]))), /negative/);
});

test('the headers of one entry cannot fill memory, however many there are', (t) => {
  const big = pax({ 'SCHILY.xattr.user.a': 'x'.repeat(1024 * 1024) });
  t.regex(fails(archiveOf(big, big, big, big, big, member('f'))), /extension headers of an entry are too large/);
  t.deepEqual(names(archiveOf(big, big, member('f'), big, big, member('g'), big, member('h'))), ['f', 'g', 'h']);
});

test('global headers cannot fill memory', (t) => {
  const big = Array.from({ length: 5 }, (_, index) =>
    pax({ [`SCHILY.xattr.user.${index}`]: 'x'.repeat(1024 * 1024) }, 'g'),
  );
  t.regex(fails(archiveOf(...big)), /global headers .* too large/);
});
