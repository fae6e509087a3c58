import test from 'ava';
import { BackupReader } from './backup-reader.js';
import { BackupWriter } from './backup-writer.js';
import { formatName, formatVersion, type Header, type Item } from './records.js';

const header: Header = {
  format: formatName,
  version: formatVersion,
  createdAt: '2025-01-02T03:04:05.678Z',
  engine: '0.1.0',
  mapping: '',
  images: true,
};

async function written(head: Header = header): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const writer = new BackupWriter({ write: async (bytes) => void pieces.push(Buffer.from(bytes)) });
  await writer.header(head);
  await writer.item({ kind: 'entry', path: 'plugins/x' });
  const rest = (async function* () {
    yield Buffer.from('second\n');
    yield Buffer.alloc(0);
  })();
  await writer.tree('plugins', 'x', Buffer.from('first '), rest);
  await writer.end({ entries: ['plugins/x'], leftOut: ['one'] });
  return Buffer.concat(pieces);
}

/** Reads a backup that arrives in small pieces. */
async function read(bytes: Buffer, size = 7): Promise<readonly (Header | Item | string)[]> {
  const pieces = (async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  })();
  const reader = new BackupReader(pieces);
  const all: (Header | Item | string)[] = [await reader.header()];
  for (;;) {
    const item = await reader.item();
    all.push(item);
    if (item.kind === 'end') return all;
    let text = '';
    if (item.kind === 'tree') for await (const piece of reader.tree()) text += Buffer.from(piece).toString();
    if (text !== '') all.push(text);
  }
}

test('what was written is read, whatever the pieces it arrives in', async (t) => {
  const bytes = await written();
  for (const size of [1, 7, 10_000]) {
    const items = await read(bytes, size);
    t.deepEqual(items.slice(0, -1), [
      header,
      { kind: 'entry', path: 'plugins/x' },
      { kind: 'tree', directory: 'plugins', name: 'x' },
      'first second\n',
    ]);
    t.like(items.at(-1), { kind: 'end', entries: ['plugins/x'], leftOut: ['one'] });
  }
});

test('a byte that is changed, missing or too many is noticed', async (t) => {
  const bytes = await written();
  for (let at = 0; at < bytes.length - 1; at += 5) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    await t.throwsAsync(read(damaged), undefined, `byte ${at}`);
  }
  for (const length of [0, 1, 100, bytes.length - 1]) {
    await t.throwsAsync(read(bytes.subarray(0, length)), { message: /it ends too early|not a backup/ });
  }
  await t.throwsAsync(read(Buffer.concat([bytes, Buffer.from('x')])), { message: /more behind its end/ });
});

test('a backup of a newer engine is refused with its version', async (t) => {
  await t.throwsAsync(
    written({ ...header, version: formatVersion + 1, engine: '9.0.0' }).then((bytes) => read(bytes)),
    {
      message: 'its format is version 2, made by Gantry 9.0.0; this engine reads up to version 1',
    },
  );
  await t.throwsAsync(read(Buffer.from('{"name":"x"}\n')), { message: 'it is not a backup of this engine' });
});
