import { text } from 'node:stream/consumers';
import test from 'ava';
import { extract } from 'tar-stream';
import { archiveOf, member } from '../testing/raw-tar.js';

async function readByOther(archive: Buffer) {
  const entries: {
    name: string;
    size: number;
    uid: number;
    type: string;
    linkname: string;
    pax: unknown;
    body: string;
  }[] = [];
  const reader = extract();
  reader.end(archive);
  for await (const entry of reader) {
    const { name, size, uid, type, linkname, pax } = entry.header as unknown as (typeof entries)[number];
    entries.push({ name, size, uid, type, linkname, pax, body: await text(entry as never) });
  }
  return entries;
}

test('tar-stream reads what the encoder writes', async (t) => {
  const long = `${'d/'.repeat(60)}file`;
  const [plain, deep, link] = await readByOther(
    archiveOf(
      member('plain', { body: 'content', uid: 12 }),
      member(long, { body: 'x', modified: { seconds: 5, nanoseconds: 1 } }),
      member('link', { type: 'symlink', linkName: `${long}-target` }),
    ),
  );
  t.like(plain, { name: 'plain', size: 7, uid: 12, type: 'file', body: 'content', pax: null });
  t.like(deep, { name: long, body: 'x', pax: { mtime: '5.000000001' } });
  t.like(link, { type: 'symlink', linkname: `${long}-target` });
});

test('the bytes of an entry do not depend on the order of its attributes', (t) => {
  const [a, b] = [Buffer.from('1'), Buffer.from('2')];
  t.deepEqual(
    member('f', { attributes: { 'user.a': a, 'user.b': b } }),
    member('f', { attributes: { 'user.b': b, 'user.a': a } }),
  );
});
