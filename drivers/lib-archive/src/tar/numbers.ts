import { invalidArgument } from '@gantry/core/errors';

/**
 * A number field of a header: octal digits among blanks and NULs, or, with the top bit set, a big-endian number in two's
 * complement. @throws EngineError `invalid-argument` naming the field.
 */
export function decodeNumber(header: Buffer, offset: number, length: number, field: string): number {
  const first = header[offset] ?? 0;
  return (first & 0x80) === 0
    ? decodeOctal(header, offset, length, field)
    : decodeBinary(header, offset, length, field, first);
}

function decodeOctal(header: Buffer, offset: number, length: number, field: string): number {
  const end = offset + length;
  let at = offset;
  while (at < end && isBlank(header[at])) at++;
  let value = 0;
  for (; at < end && !isBlank(header[at]); at++) {
    const digit = (header[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 7)
      throw invalidArgument(`the archive has an invalid tar header: its ${field} is not an octal number`);
    value = value * 8 + digit;
  }
  return value;
}

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0;

function decodeBinary(header: Buffer, offset: number, length: number, field: string, first: number): number {
  const negative = (first & 0x40) !== 0;
  let value = negative ? (first & 0x7f) - 0x80 : first & 0x7f;
  for (let at = offset + 1; at < offset + length; at++) value = value * 256 + (header[at] ?? 0);
  if (!Number.isSafeInteger(value))
    throw invalidArgument(`the archive has an invalid tar header: its ${field} is out of range`);
  return value;
}

/** Writes octal digits and a NUL; too large a number becomes 0, and its PAX record counts. */
export function encodeOctal(header: Buffer, value: number, offset: number, length: number): void {
  const digits = value.toString(8);
  header.write(digits.length < length ? digits.padStart(length - 1, '0') : '0'.repeat(length - 1), offset, 'latin1');
}

/** Whether a number needs a PAX record beside a field of that length. */
export const fitsOctal = (value: number, length: number): boolean => value >= 0 && value < 8 ** (length - 1);
