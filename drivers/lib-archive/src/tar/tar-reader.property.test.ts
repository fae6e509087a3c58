import { fc, isRefusal } from '@gantry/property-testing';
import test from 'ava';
import { archiveOf, extension, header, member, pax } from '../testing/raw-tar.js';
import { normalise } from './names.js';
import { TarReader } from './tar-reader.js';

/** Reads in pieces of the given sizes; true when it was read to its end, false when it was refused with a reason. */
function reads(archive: Buffer, sizes: readonly number[], seen: Buffer[], names: string[] = []): boolean {
  let open = 0;
  const reader = new TarReader({
    raw: (bytes) => void seen.push(Buffer.from(bytes)),
    begin: ({ name }) => {
      names.push(name);
      open++;
    },
    payload: (bytes) => void seen.push(Buffer.from(bytes)),
    end: () => void open--,
  });
  try {
    for (let at = 0, turn = 0; at < archive.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 512;
      const piece = Buffer.from(archive.subarray(at, at + size));
      reader.push(piece);
      piece.fill(0xee);
      at += size;
    }
    reader.finish();
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
  if (open !== 0) throw new Error('an entry was begun and not ended');
  return true;
}

const everything = archiveOf(
  member('./', { mode: 0o700 }),
  member('file', { body: 'content' }),
  member('link', { type: 'link', linkName: 'file' }),
  member('symlink', { type: 'symlink', linkName: '../elsewhere' }),
  member('null', { type: 'character-device', major: 1, minor: 3 }),
  member(`${'directory/'.repeat(30)}file`, { body: 'deep' }),
  member('attributes', { body: 'x'.repeat(600), attributes: { 'user.a': Buffer.from([0, 255, 10]) } }),
  extension('L', Buffer.from('long name\0')),
  header('x', '0', 0),
  pax({ path: 'renamed', mtime: '1.5', 'GNU.sparse.size': '10', 'GNU.sparse.map': '0,1' }),
  header('y', '0', 1),
  Buffer.alloc(512, 'z'),
);

const sizes = fc.array(fc.integer({ min: 1, max: 1500 }), { minLength: 1, maxLength: 4 });

test('every byte is handed on once and in order, in whatever pieces it comes', (t) => {
  fc.assert(
    fc.property(sizes, (pieces) => {
      const seen: Buffer[] = [];
      return reads(everything, pieces, seen) && Buffer.concat(seen).equals(everything);
    }),
  );
  t.pass();
});

test('a damaged archive is read or refused, and what it is does not depend on its pieces', (t) => {
  const damage = fc.array(fc.tuple(fc.nat(everything.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(damage, fc.nat(everything.length), sizes, fc.boolean(), (changes, end, pieces, cuts) => {
      const archive = Buffer.from(everything);
      for (const [at, byte] of changes) {
        archive[at] = byte;
        fixChecksum(archive, at);
      }
      const given = cuts ? archive.subarray(0, end) : archive;
      const [whole, cut] = [[], []] as [string[], string[]];
      const same = reads(given, [given.length || 1], [], whole) === reads(given, pieces, [], cut);
      return same && `${whole}` === `${cut}`;
    }),
  );
  t.pass();
});

/** Makes a changed header count, or nearly all changes would be found by its checksum alone. */
function fixChecksum(archive: Buffer, at: number): void {
  const block = archive.subarray(at - (at % 512), at - (at % 512) + 512);
  if (block.length < 512 || !/^[0-7]{6}$/.test(block.toString('latin1', 148, 154))) return;
  block.fill(' ', 148, 156);
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
}

test('no name leads out of the root', (t) => {
  const part = fc.oneof(fc.constantFrom('..', '.', '', 'a', '...', '.wh..'), fc.string({ maxLength: 4 }));
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const path = normalise(parts.join('/'));
      return !path.startsWith('/') && path.split('/').every((each) => each !== '..' && each !== '.');
    }),
  );
  t.pass();
});
