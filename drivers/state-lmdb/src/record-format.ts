import { crc32 } from './crc32.js';

/**
 * A record on disk: format (1 byte), version of its shape (4), CRC-32 (4), JSON. The sum covers version, storage key
 * and JSON, so that it detects both damaged bytes and a value under another key.
 */
const format = 1;
const headerSize = 9;

interface StoredRecord {
  readonly version: number;
  readonly value: unknown;
}

export function encodeRecord(storageKey: string, version: number, json: string): Buffer {
  // Not from the pool: its memory is transferred to another thread.
  const bytes = Buffer.allocUnsafeSlow(headerSize + Buffer.byteLength(json));
  bytes[0] = format;
  bytes.writeUInt32LE(version, 1);
  bytes.write(json, headerSize);
  bytes.writeUInt32LE(sumOf(storageKey, bytes), 5);
  return bytes;
}

/** @throws Error with the reason, one line. */
export function decodeRecord(storageKey: string, bytes: Buffer): StoredRecord {
  if (bytes.length < headerSize) throw new Error(`the record is cut off after ${bytes.length} bytes`);
  if (bytes[0] !== format) throw new Error(`the record has the unknown format ${bytes[0]}`);
  if (bytes.readUInt32LE(5) !== sumOf(storageKey, bytes)) throw new Error('the checksum of the record is wrong');
  return { version: bytes.readUInt32LE(1), value: JSON.parse(bytes.toString('utf8', headerSize)) };
}

const sumOf = (storageKey: string, bytes: Buffer): number =>
  crc32(bytes.subarray(0, 5), Buffer.from(storageKey), bytes.subarray(headerSize));

/** A quarantined record: length of the reason (4), reason, the bytes as they were found. */
export function encodeQuarantined(reason: string, bytes: Buffer): Buffer {
  const size = Buffer.byteLength(reason);
  const whole = Buffer.allocUnsafeSlow(4 + size + bytes.length);
  whole.writeUInt32LE(size, 0);
  whole.write(reason, 4);
  bytes.copy(whole, 4 + size);
  return whole;
}

export function decodeQuarantined(whole: Buffer): { readonly reason: string; readonly bytes: Buffer } {
  const end = 4 + (whole.length < 4 ? 0 : whole.readUInt32LE(0));
  return { reason: whole.toString('utf8', 4, end), bytes: whole.subarray(end) };
}
