import { checksums } from './checksum.js';
import type { ByteString, EntryType, TarEntry } from './entry.js';
import { encodeOctal, fitsOctal } from './numbers.js';
import { attributeKey, encodePax, type PaxRecord, paxTime } from './pax.js';

const blockSize = 512;

/** Two blocks of zeros. */
export const archiveEnd = Buffer.alloc(2 * blockSize);

/** How many bytes follow a payload to fill up its last block. */
export const paddingOf = (size: number): number => (blockSize - (size % blockSize)) % blockSize;

const typeFlags: Readonly<Record<EntryType, string>> = {
  file: '0',
  link: '1',
  symlink: '2',
  'character-device': '3',
  'block-device': '4',
  directory: '5',
  fifo: '6',
};

/**
 * The header of an entry, with a PAX header in front when something does not fit: names that are long or not ASCII,
 * large ids and sizes, parts of a second, extended attributes. The same entry gives the same bytes.
 */
export function encodeEntry(entry: Omit<TarEntry, 'sparse'>): Buffer {
  const records = paxRecords(entry);
  const header = encodeHeader(entry, typeFlags[entry.type]);
  if (records.length === 0) return header;
  const body = encodePax(records);
  const extension = {
    ...entry,
    name: `PaxHeaders.0/${entry.name}`,
    linkName: '',
    size: body.length,
    major: 0,
    minor: 0,
    mode: 0o644,
  };
  return Buffer.concat([encodeHeader(extension, 'x'), body, Buffer.alloc(paddingOf(body.length)), header]);
}

function paxRecords(entry: Omit<TarEntry, 'sparse'>): PaxRecord[] {
  const records: PaxRecord[] = [];
  const add = (key: string, value: string): void => {
    records.push({ key, value: Buffer.from(value, 'latin1') });
  };
  if (!fitsName(entry.name)) add('path', entry.name);
  if (!fitsName(entry.linkName)) add('linkpath', entry.linkName);
  if (!fitsOctal(entry.size, 12)) add('size', String(entry.size));
  if (!fitsOctal(entry.uid, 8)) add('uid', String(entry.uid));
  if (!fitsOctal(entry.gid, 8)) add('gid', String(entry.gid));
  if (entry.modified.nanoseconds !== 0 || !fitsOctal(entry.modified.seconds, 12)) add('mtime', paxTime(entry.modified));
  for (const name of [...entry.attributes.keys()].sort()) {
    records.push({ key: attributeKey(name), value: entry.attributes.get(name) ?? Buffer.alloc(0) });
  }
  return records;
}

/** ASCII in 100 bytes; what a field of a header takes and every reader reads. */
const fitsName = (name: ByteString): boolean => name.length <= 100 && !notAscii.test(name);

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant, control characters too
const notAscii = /[^\x01-\x7f]/;

function encodeHeader(entry: Omit<TarEntry, 'sparse'>, typeFlag: string): Buffer {
  const header = Buffer.alloc(blockSize);
  header.write(replaceNonAscii(entry.name), 0, 100, 'latin1');
  encodeOctal(header, entry.mode & 0o7777, 100, 8);
  encodeOctal(header, entry.uid, 108, 8);
  encodeOctal(header, entry.gid, 116, 8);
  encodeOctal(header, entry.size, 124, 12);
  encodeOctal(header, Math.max(0, entry.modified.seconds), 136, 12);
  header.write(typeFlag, 156, 1, 'latin1');
  header.write(replaceNonAscii(entry.linkName), 157, 100, 'latin1');
  header.write('ustar\x0000', 257, 8, 'latin1');
  encodeOctal(header, entry.major, 329, 8);
  encodeOctal(header, entry.minor, 337, 8);
  header.write(`${checksums(header).unsigned.toString(8).padStart(6, '0')}\0 `, 148, 8, 'latin1');
  return header;
}

/** What a reader that does not know PAX gets to see. */
const replaceNonAscii = (name: ByteString): string => name.replaceAll(new RegExp(notAscii, 'g'), '?');
