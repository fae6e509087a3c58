const simple = new Uint8Array(256);
for (const [letter, meant] of Object.entries({
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  '"': '"',
  '\\': '\\',
  '/': '/',
})) {
  simple[letter.charCodeAt(0)] = meant.charCodeAt(0);
}

/** The character that a backslash and this letter stand for; 0 when they are no escape, or a longer one. */
export const meaningOf = (letter: number): number => simple[letter] as number;

const digit = (byte: number): number =>
  byte >= 0x30 && byte <= 0x39
    ? byte - 0x30
    : (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66
      ? (byte | 0x20) - 0x57
      : -1;

/**
 * Writes what the escape at `at` stands for, as UTF-8. It takes 2 bytes of the block, 6 when it is a \u.
 * @returns how many bytes it wrote; 0 for what is no escape, and for halves of characters.
 */
export function unescapeAt(block: Uint8Array, at: number, out: Uint8Array, to: number): number {
  const letter = block[at + 1] as number;
  if (letter !== 0x75) {
    out[to] = simple[letter] as number;
    return out[to] === 0 ? 0 : 1;
  }
  let code = 0;
  for (let index = at + 2; index < at + 6; index++) {
    const value = digit(block[index] as number);
    if (value < 0) return 0;
    code = code * 16 + value;
  }
  if (code < 0x80) {
    out[to] = code;
    return 1;
  }
  if (code < 0x800) {
    out[to] = 0xc0 | (code >> 6);
    out[to + 1] = 0x80 | (code & 0x3f);
    return 2;
  }
  if (code >= 0xd800 && code <= 0xdfff) return 0;
  out[to] = 0xe0 | (code >> 12);
  out[to + 1] = 0x80 | ((code >> 6) & 0x3f);
  out[to + 2] = 0x80 | (code & 0x3f);
  return 3;
}
