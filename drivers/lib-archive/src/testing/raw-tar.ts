import { gzipSync } from 'node:zlib';
import { encodeEntry, paddingOf } from '../tar/encode.js';
import { plainEntry, type TarEntry } from '../tar/entry.js';
import { encodePax } from '../tar/pax.js';

export type Fields = Partial<Omit<TarEntry, 'attributes'>> & {
  readonly body?: Buffer | string;
  readonly attributes?: Readonly<Record<string, Buffer>>;
};

/** One member, written by this package's own encoder. */
export function member(name: string, { body = '', attributes = {}, ...fields }: Fields = {}): Buffer {
  const content = Buffer.from(body);
  const type = fields.type ?? (name.endsWith('/') ? 'directory' : 'file');
  const entry: TarEntry = {
    ...plainEntry,
    name,
    type,
    mode: type === 'directory' ? 0o755 : 0o644,
    size: content.length,
    modified: { seconds: 1_600_000_000, nanoseconds: 0 },
    ...fields,
    attributes: new Map(Object.entries(attributes)),
  };
  return Buffer.concat([encodeEntry(entry), content, Buffer.alloc(paddingOf(content.length))]);
}

/** An archive of members, or of whatever bytes are given. */
export const archiveOf = (...parts: readonly Buffer[]): Buffer => Buffer.concat([...parts, Buffer.alloc(1024)]);

/** A header block with fields written over by hand, as `[offset, text]`, and a right checksum. */
export function header(
  name: string,
  type: string,
  size: number,
  ...patches: readonly [number, string | Buffer][]
): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0, 100, 'latin1');
  block.write('0000644\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('13727410400\0', 136);
  block.write(type, 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  for (const [offset, text] of patches) Buffer.from(text).copy(block, offset);
  return withChecksum(block);
}

function withChecksum(block: Buffer): Buffer {
  block.fill(0x20, 148, 156);
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** An extension header with its content. */
export function extension(type: string, content: Buffer, name = '././@LongLink'): Buffer {
  return Buffer.concat([header(name, type, content.length), content, Buffer.alloc(paddingOf(content.length))]);
}

export const pax = (records: Readonly<Record<string, string | Buffer>>, type = 'x'): Buffer =>
  extension(
    type,
    encodePax(Object.entries(records).map(([key, value]) => ({ key, value: Buffer.from(value) }))),
    'pax',
  );

/** Content filled up to whole blocks. */
export const padded = (content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content);
  return Buffer.concat([bytes, Buffer.alloc(paddingOf(bytes.length))]);
};

export const gzipped = (bytes: Buffer): Buffer => gzipSync(bytes, { level: 1 });
