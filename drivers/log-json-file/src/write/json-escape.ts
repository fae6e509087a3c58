const special = new Uint8Array(256).fill(1, 0, 0x20).fill(1, 0x80);
for (const character of '"\\<>&') special[character.charCodeAt(0)] = 1;

/** Whether a byte cannot be copied into a JSON string as it is, or is part of a character that perhaps cannot. */
export const isSpecial = (byte: number): boolean => special[byte] === 1;

const hex = Buffer.from('0123456789abcdef');

/** The longest escape there is, such as \u001b. */
export const longestEscape = 6;

interface Escaped {
  /** Bytes of the text that are escaped with this. */
  readonly read: number;
  readonly written: number;
}

/** Writes what a special byte, or the character it starts, becomes inside a JSON string. */
export function escapeAt(text: Uint8Array, at: number, end: number, out: Uint8Array, to: number): Escaped {
  const byte = text[at] as number;
  if (byte < 0x80) return { read: 1, written: escapeAscii(out, to, byte) };
  const length = characterLength(text, at, end);
  if (length === 0) return { read: 1, written: writeUnicode(out, to, 0xff, 0xfd) };
  if (length === 3 && isSeparator(text, at)) {
    return { read: 3, written: writeUnicode(out, to, 0x20, (text[at + 2] as number) & 0x3f) };
  }
  for (let index = 0; index < length; index++) out[to + index] = text[at + index] as number;
  return { read: length, written: length };
}

function escapeAscii(out: Uint8Array, at: number, character: number): number {
  switch (character) {
    case 0x22: // "
    case 0x5c:
      out[at] = 0x5c;
      out[at + 1] = character;
      return 2;
    case 0x0a:
    case 0x0d:
      out[at] = 0x5c;
      out[at + 1] = character === 0x0a ? 0x6e : 0x72; // \n, \r
      return 2;
    default:
      return writeUnicode(out, at, 0, character);
  }
}

function writeUnicode(out: Uint8Array, at: number, high: number, low: number): number {
  out[at] = 0x5c;
  out[at + 1] = 0x75; // \u
  out[at + 2] = hex[high >> 4] as number;
  out[at + 3] = hex[high & 15] as number;
  out[at + 4] = hex[low >> 4] as number;
  out[at + 5] = hex[low & 15] as number;
  return longestEscape;
}

/** Whether three bytes are U+2028 or U+2029, which older JavaScript takes for line ends. */
const isSeparator = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0xe2 && bytes[at + 1] === 0x80 && ((bytes[at + 2] as number) & 0xfe) === 0xa8;

/** Length of the UTF-8 character at a byte of 0x80 or more; 0 when there is none before `end`. */
function characterLength(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] as number;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (at + length > end) return 0;
  const second = bytes[at + 1] as number;
  // Overlong forms, surrogates, and what lies beyond U+10FFFF.
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let next = 2; next < length; next++) {
    if (((bytes[at + next] as number) & 0xc0) !== 0x80) return 0;
  }
  return length;
}
