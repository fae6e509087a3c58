/** How the bytes of a text are written inside a JSON string: 0 as they are, anything else needs a closer look. */
export const special = new Uint8Array(256).fill(1, 0, 0x20).fill(1, 0x80);
for (const character of '"\\<>&') special[character.charCodeAt(0)] = 1;

const hex = Buffer.from('0123456789abcdef');

/** The longest escape there is, such as \u001b. */
export const longestEscape = 6;

const unicode = (out: Uint8Array, at: number, high: number, low: number): number => {
  out[at] = 0x5c;
  out[at + 1] = 0x75; // \u
  out[at + 2] = hex[high >> 4] as number;
  out[at + 3] = hex[high & 15] as number;
  out[at + 4] = hex[low >> 4] as number;
  out[at + 5] = hex[low & 15] as number;
  return at + longestEscape;
};

/** Writes an ASCII character that is special. @returns where to go on in `out`. */
export function escapeAscii(out: Uint8Array, at: number, character: number): number {
  switch (character) {
    case 0x22: // "
    case 0x5c:
      out[at] = 0x5c;
      out[at + 1] = character;
      return at + 2;
    case 0x0a:
    case 0x0d:
      out[at] = 0x5c;
      out[at + 1] = character === 0x0a ? 0x6e : 0x72; // \n, \r
      return at + 2;
    default:
      return unicode(out, at, 0, character);
  }
}

/** Writes what stands for a byte that is part of no character: \ufffd. */
export const escapeInvalid = (out: Uint8Array, at: number): number => unicode(out, at, 0xff, 0xfd);

/** Whether three bytes are U+2028 or U+2029, which JavaScript took for line ends. */
export const isSeparator = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0xe2 && bytes[at + 1] === 0x80 && ((bytes[at + 2] as number) & 0xfe) === 0xa8;

export const escapeSeparator = (out: Uint8Array, at: number, last: number): number =>
  unicode(out, at, 0x20, last & 0x3f);

/** Length of the UTF-8 character at a byte of 0x80 or more; 0 when there is none before `end`. */
export function characterLength(bytes: Uint8Array, at: number, end: number): number {
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

/** Writes a text into a JSON string. @returns where to go on in `out`. */
export function escapeText(out: Uint8Array, start: number, text: Uint8Array): number {
  let at = start;
  for (let index = 0; index < text.length; ) {
    const byte = text[index] as number;
    if (special[byte] === 0) {
      out[at++] = byte;
      index++;
    } else if (byte < 0x80) {
      at = escapeAscii(out, at, byte);
      index++;
    } else {
      const length = characterLength(text, index, text.length);
      if (length === 0) at = escapeInvalid(out, at);
      else if (length === 3 && isSeparator(text, index)) at = escapeSeparator(out, at, text[index + 2] as number);
      else for (let next = 0; next < length; next++) out[at++] = text[index + next] as number;
      index += Math.max(1, length);
    }
  }
  return at;
}
