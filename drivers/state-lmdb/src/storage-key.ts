import { invalidArgument } from '@gantry/core/errors';

/** LMDB's limit for keys is 1978 bytes on pages of 4 KiB, and smaller pages are not used. */
const maxBytes = 1978;

/** The key of a record in the data file. @throws EngineError `invalid-argument` for keys that cannot be stored. */
export function storageKey(collection: string, key: string): string {
  const whole = `${collection}\0${key}`;
  if (key === '') throw invalidArgument(`${collection}: a record's key must not be empty`);
  if (/\p{Surrogate}/u.test(whole))
    throw invalidArgument(`${collection}: the key ${JSON.stringify(key)} is no proper text`);
  if (whole.length * 3 > maxBytes && Buffer.byteLength(whole) > maxBytes) {
    throw invalidArgument(`${collection}: a key of ${Buffer.byteLength(key)} bytes is too long`);
  }
  return whole;
}

/** Collection and key of a storage key. Collections have no NUL in their names. */
export function splitStorageKey(whole: string): readonly [collection: string, key: string] {
  const at = whole.indexOf('\0');
  return [whole.slice(0, at), whole.slice(at + 1)];
}

/** Orders strings as their UTF-8 bytes: as `<` does for the characters below U+10000. */
export function byteOrder(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const difference = rank(one.charCodeAt(index)) - rank(other.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Surrogates encode code points above all others. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
