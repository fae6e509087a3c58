/**
 * Lines are short, and for short texts a loop over words of four bytes is faster than a native copy and three times as
 * fast as a loop over bytes.
 */

/** A text that is copied often. */
export interface Words {
  readonly length: number;
  readonly words: Int32Array;
  /** The last bytes, fewer than four. */
  readonly rest: Uint8Array;
}

export function wordsOf(text: string): Words {
  const bytes = Buffer.from(text);
  const count = bytes.length >> 2;
  return {
    length: bytes.length,
    words: Int32Array.from({ length: count }, (_, index) => bytes.readInt32LE(index * 4)),
    rest: Uint8Array.from(bytes.subarray(count * 4)),
  };
}

/** @returns where to continue. */
export function copyWords(target: DataView, start: number, { words, rest, length }: Words): number {
  let to = start;
  for (let index = 0; index < words.length; index++, to += 4) target.setInt32(to, words[index] as number, true);
  for (let index = 0; index < rest.length; index++, to++) target.setUint8(to, rest[index] as number);
  return start + length;
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The highest bit of each byte that is zero, and perhaps of bytes above it. */
const zeroBytes = (word: number): number => (word - 0x01010101) & ~word & 0x80808080;

/** Whether one of four bytes may have to be escaped: a control character, a quote, a backslash, <, >, & or no ASCII. */
export const hasSpecial = (word: number): boolean =>
  ((word | ((word - 0x20202020) & ~word)) & 0x80808080) !== 0 || // above 0x7f, below 0x20
  (zeroBytes((word & ~0x04040404) ^ 0x22222222) | // " and &
    zeroBytes((word & ~0x02020202) ^ 0x3c3c3c3c) | // < and >
    zeroBytes(word ^ 0x5c5c5c5c)) !==
    0;

/** Whether one of four bytes ends or interrupts a JSON string: a quote or a backslash. */
export const hasStringEnd = (word: number): boolean =>
  (zeroBytes(word ^ 0x22222222) | zeroBytes(word ^ 0x5c5c5c5c)) !== 0;
