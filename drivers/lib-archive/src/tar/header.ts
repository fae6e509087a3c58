import { invalidArgument } from '@gantry/core/errors';
import { checksums } from './checksum.js';
import type { ByteString } from './entry.js';
import { decodeNumber } from './numbers.js';

/** The fields of one header block, before what extension headers say is laid over them. */
export interface Header {
  readonly name: ByteString;
  readonly linkName: ByteString;
  /** One character, as in the archive; `0` for the NUL of old archives. */
  readonly type: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly seconds: number;
  readonly major: number;
  readonly minor: number;
}

/** Reads a header block of any of the formats v7, ustar, GNU and PAX. @throws EngineError `invalid-argument`. */
export function decodeHeader(block: Buffer): Header {
  const { unsigned, signed } = checksums(block);
  const recorded = decodeNumber(block, 148, 8, 'checksum');
  if (recorded !== unsigned && recorded !== signed) {
    throw invalidArgument('the archive has an invalid tar header: its checksum is wrong');
  }
  const magic = block.toString('latin1', 257, 263);
  const ustar = magic === 'ustar\0';
  const devices = ustar || magic === 'ustar ';
  const prefix = ustar ? text(block, 345, 155) : '';
  const name = text(block, 0, 100);
  const size = decodeNumber(block, 124, 12, 'size');
  if (size < 0) throw invalidArgument('the archive has an invalid tar header: its size is negative');
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    linkName: text(block, 157, 100),
    type: block[156] === 0 ? '0' : block.toString('latin1', 156, 157),
    mode: decodeNumber(block, 100, 8, 'mode') & 0o7777,
    uid: decodeNumber(block, 108, 8, 'uid'),
    gid: decodeNumber(block, 116, 8, 'gid'),
    size,
    seconds: decodeNumber(block, 136, 12, 'mtime'),
    major: devices ? decodeNumber(block, 329, 8, 'devmajor') : 0,
    minor: devices ? decodeNumber(block, 337, 8, 'devminor') : 0,
  };
}

/** The text of a field, up to its first NUL. */
export function text(bytes: Buffer, offset: number, length: number): ByteString {
  const end = bytes.indexOf(0, offset);
  return bytes.toString('latin1', offset, end < 0 || end > offset + length ? offset + length : end);
}
