import { invalidArgument } from '@gantry/core/errors';
import type { FileTime } from '@gantry/lib-linux';
import type { ByteString } from './entry.js';

/** One record of a PAX header. Keys may repeat, and then their order counts. */
export interface PaxRecord {
  readonly key: ByteString;
  readonly value: Buffer;
}

const xattrPrefix = 'SCHILY.xattr.';

/** Splits a PAX header into its records: `LENGTH KEY=VALUE\n`, the length counting itself. */
export function decodePax(bytes: Buffer): PaxRecord[] {
  const records: PaxRecord[] = [];
  for (let at = 0; at < bytes.length; ) {
    // What follows the last record may be filled up with NULs.
    if (bytes[at] === 0 && isZero(bytes, at)) break;
    const blank = bytes.indexOf(0x20, at);
    const digits = blank < 0 || blank - at > 10 ? '' : bytes.toString('latin1', at, blank);
    const end = at + Number(digits);
    if (!/^\d+$/.test(digits) || end > bytes.length || end <= blank + 1 || bytes[end - 1] !== 0x0a) throw damaged();
    const equals = bytes.indexOf(0x3d, blank);
    if (equals < 0 || equals >= end || equals === blank + 1) throw damaged();
    records.push({ key: bytes.toString('latin1', blank + 1, equals), value: bytes.subarray(equals + 1, end - 1) });
    at = end;
  }
  return records;
}

const damaged = (): Error => invalidArgument('a PAX header of the archive is damaged');

const isZero = (bytes: Buffer, from: number): boolean => bytes.subarray(from).every((byte) => byte === 0);

/** What of an archive's PAX headers is made use of. */
const usedKeys = new Set(['path', 'linkpath', 'size', 'uid', 'gid', 'mtime', 'atime']);

/**
 * The records that count for one entry, later ones over earlier ones; an empty value takes an earlier one away. Records
 * of sparse files are kept aside, in their order.
 */
export class PaxValues {
  readonly #values = new Map<string, Buffer>();
  readonly attributes = new Map<ByteString, Buffer>();
  readonly sparse: PaxRecord[] = [];

  constructor(records: readonly PaxRecord[]) {
    for (const { key, value } of records) {
      if (key.startsWith(xattrPrefix)) this.#attribute(key.slice(xattrPrefix.length), value);
      else if (key.startsWith('GNU.sparse.')) this.sparse.push({ key, value });
      else if (!usedKeys.has(key)) continue;
      else if (value.length === 0) this.#values.delete(key);
      else this.#values.set(key, value);
    }
  }

  #attribute(name: ByteString, value: Buffer): void {
    if (name === '' || name.includes('\0')) throw damaged();
    this.attributes.set(name, value);
  }

  text(key: string): ByteString | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    if (value.includes(0)) throw invalidArgument(`the PAX record ${key} holds a NUL`);
    return value.toString('latin1');
  }

  /** A whole number, not negative. */
  number(key: string): number | undefined {
    const text = this.text(key);
    return text === undefined ? undefined : parseWhole(key, text);
  }

  time(key: string): FileTime | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    const [, sign = '', digits, fraction = ''] = /^([-+]?)(\d{1,15})(?:\.(\d*))?$/.exec(text) ?? [];
    if (digits === undefined) throw invalidArgument(`the PAX record ${key} is not a time: "${text}"`);
    const seconds = Number(digits);
    const nanoseconds = Number(fraction.slice(0, 9).padEnd(9, '0'));
    if (sign !== '-') return { seconds, nanoseconds };
    return nanoseconds === 0
      ? { seconds: -seconds, nanoseconds }
      : { seconds: -seconds - 1, nanoseconds: 1e9 - nanoseconds };
  }
}

/** A decimal number of a record. @throws EngineError `invalid-argument` naming the record. */
export function parseWhole(key: string, text: ByteString): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw invalidArgument(`the PAX record ${key} is not a number: "${text}"`);
  return value;
}

/** The bytes of a PAX header. */
export function encodePax(records: readonly PaxRecord[]): Buffer {
  return Buffer.concat(records.flatMap(({ key, value }) => encodeRecord(key, value)));
}

function encodeRecord(key: ByteString, value: Buffer): Buffer[] {
  const rest = 1 + key.length + 1 + value.length + 1;
  let length = rest + String(rest).length;
  length = rest + String(length).length;
  return [Buffer.from(`${length} ${key}=`, 'latin1'), value, newline];
}

const newline = Buffer.from('\n');

/** A time as PAX writes it: `-1.5` is one and a half seconds before the epoch. */
export function paxTime({ seconds, nanoseconds }: FileTime): string {
  if (nanoseconds === 0) return String(seconds);
  const negative = seconds < 0;
  const whole = negative ? -seconds - 1 : seconds;
  const rest = negative ? 1e9 - nanoseconds : nanoseconds;
  return `${negative ? '-' : ''}${whole}.${String(rest).padStart(9, '0').replace(/0+$/, '')}`;
}

/** Name of the PAX record that holds an extended attribute. */
export const attributeKey = (name: ByteString): string => xattrPrefix + name;
