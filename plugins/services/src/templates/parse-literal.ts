import type { TemplateValue } from './template-value.js';

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

/** Escapes in literals: of one character, octal, of a byte, of a code point. */
const escapeSequence = /\\(?:([abfnrtv\\"'])|([0-7]{3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.?))/gs;

/** The text between the quotes of a literal. @throws Error when an escape has no meaning. */
export function unquote(literal: string): string {
  return literal.slice(1, -1).replace(escapeSequence, (whole, simple, octal, byte, short, long) => {
    if (simple !== undefined) return escapes[simple] ?? '';
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    const code = byte ?? short ?? long;
    if (code === undefined) throw new Error(`invalid escape ${whole} in ${literal}`);
    return String.fromCodePoint(Number.parseInt(code, 16));
  });
}

/** A character's constant is its code point. */
export function parseCharacter(literal: string): bigint {
  const [character, ...others] = unquote(literal);
  if (character === undefined || others.length > 0) throw new Error(`malformed character constant: ${literal}`);
  return BigInt(character.codePointAt(0) ?? 0);
}

/** @throws Error when a number has no value, or one that does not fit. */
export function parseNumber(text: string): TemplateValue {
  const digits = text.replaceAll('_', '');
  const isNegative = digits.startsWith('-');
  const unsigned = digits.replace(/^[+-]/, '');
  if (!/^0[xX]/.test(unsigned) && /[.eE]/.test(unsigned)) {
    const value = Number(digits);
    if (!Number.isFinite(value)) throw new Error(`bad number syntax: ${text}`);
    return value;
  }
  const isOctal = /^0[0-7]+$/.test(unsigned);
  const value = toInteger(isOctal ? `0o${unsigned.slice(1)}` : unsigned, text);
  const signed = isNegative ? -value : value;
  if (BigInt.asIntN(64, signed) !== signed) throw new Error(`integer overflow: ${text}`);
  return signed;
}

function toInteger(digits: string, text: string): bigint {
  try {
    return BigInt(digits.toLowerCase());
  } catch (cause) {
    throw new Error(`bad number syntax: ${text}`, { cause });
  }
}
