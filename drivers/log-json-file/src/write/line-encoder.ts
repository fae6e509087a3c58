import {
  characterLength,
  escapeAscii,
  escapeInvalid,
  escapeSeparator,
  escapeText,
  isSeparator,
  longestEscape,
  special,
} from './json-escape.js';
import { parseHeader } from './spool-line.js';

/** The most text one record has; a longer line is cut into partial ones. */
export const maxText = 16 * 1024;

/** The beginning of a line whose end has not come yet. */
export interface Carry {
  readonly text: Uint8Array;
  /** When a part of this line was written already: the time that all of its parts have. */
  readonly time: Uint8Array | undefined;
}

export type Carries = readonly [stdout: Carry | undefined, stderr: Carry | undefined];

export const noCarries: Carries = [undefined, undefined];

const timeLength = 29;
const head = Buffer.from('{"log":"');
const tail = Buffer.from('Z"}\n');

/**
 * Makes JSON lines of spool lines: `{"log":"text\n","stream":"stdout","time":"2026-01-01T00:00:00.000000000Z"}`.
 * A line that comes in parts is put together again; without its end it stays in `carries`.
 */
export class LineEncoder {
  carries: Carries = noCarries;
  /** How many bytes the last call wrote. */
  written = 0;
  /** Where in the spool the last call stopped: at the end of a line. */
  next = 0;
  /** Spool lines of no known form, which were left out. */
  malformed = 0;
  /** What `out` must at least have room for. Rises when a line turns up that needs more. */
  minimumRoom: number;
  /** What comes after the text, by stream, with and without the line's end. */
  readonly #full: readonly [Uint8Array, Uint8Array];
  readonly #partial: readonly [Uint8Array, Uint8Array];
  /** No record is longer than this. */
  readonly #longest: number;

  /** @param attributes JSON of the object that each record carries. */
  constructor(attributes?: string) {
    const attrs = attributes === undefined ? '' : `"attrs":${attributes},`;
    const after = (stream: string, end: string): Uint8Array =>
      Uint8Array.from(Buffer.from(`${end}","stream":"${stream}",${attrs}"time":"`));
    this.#full = [after('stdout', '\\n'), after('stderr', '\\n')];
    this.#partial = [after('stdout', ''), after('stderr', '')];
    this.#longest = head.length + maxText * longestEscape + this.#full[0].length + timeLength + tail.length;
    this.minimumRoom = 2 * this.#longest;
  }

  /**
   * Encodes lines from `from` on, until the spool ends, `out` is full, or at least `limit` bytes are written.
   * Sets `written` and `next`. A last line without its end is left out.
   */
  encode(spool: Uint8Array, from: number, out: Uint8Array, limit: number): void {
    const end = spool.length;
    const room = Math.min(limit - 1, out.length - 2 * this.#longest);
    let at = from;
    let to = 0;
    while (at < end && to <= room) {
      const textAt = at + 45;
      // 2026-11-21T10:00:00.123456789+00:00 stdout F text
      const isPlain =
        spool[at + 43] === 0x46 &&
        spool[at + 44] === 0x20 &&
        spool[at + 42] === 0x20 &&
        spool[at + 35] === 0x20 &&
        spool[at + 34] === 0x30 &&
        spool[at + 33] === 0x30 &&
        spool[at + 31] === 0x30 &&
        spool[at + 30] === 0x30 &&
        spool[at + 29] === 0x2b &&
        spool[at + 19] === 0x2e;
      const stream = spool[at + 39] === 0x6f ? 0 : 1;
      if (isPlain && this.carries[stream] === undefined) {
        const start = to;
        to = copy(out, to, head);
        let index = textAt;
        for (; index < end; index++) {
          const byte = spool[index] as number;
          if (special[byte] === 0) {
            out[to++] = byte;
          } else if (byte === 0x0a) {
            break;
          } else if (index - textAt > maxText) {
            break;
          } else if (byte < 0x80) {
            to = escapeAscii(out, to, byte);
          } else {
            const length = characterLength(spool, index, end);
            if (length === 0) to = escapeInvalid(out, to);
            else if (length === 3 && isSeparator(spool, index)) {
              to = escapeSeparator(out, to, spool[index + 2] as number);
              index += 2;
            } else {
              for (let rest = length; rest > 1; rest--) out[to++] = spool[index++] as number;
              out[to++] = spool[index] as number;
            }
          }
        }
        if (index < end && index - textAt <= maxText) {
          to = copy(out, to, this.#full[stream] as Uint8Array);
          for (let time = at; time < at + timeLength; time++) out[to++] = spool[time] as number;
          to = copy(out, to, tail);
          at = index + 1;
          continue;
        }
        to = start; // too long, or without its end
      }
      const newline = spool.indexOf(0x0a, at);
      if (newline < 0) break;
      const length = this.#encodePart(spool, at, newline, out, to);
      if (length === undefined) break;
      to += length;
      at = newline + 1;
    }
    this.written = to;
    this.next = at;
  }

  /** Writes what is carried as partial records: their ends will not come. Sets `written`. */
  flush(out: Uint8Array, now: Uint8Array): void {
    let to = 0;
    for (const stream of [0, 1] as const) {
      const carry = this.carries[stream];
      if (carry !== undefined) to = this.#record(out, to, carry.text, stream, carry.time ?? now, true);
    }
    this.carries = noCarries;
    this.written = to;
  }

  /** The slow way: parts, lines that parts wait for, overlong lines, other times. Undefined: `out` has no room. */
  #encodePart(spool: Uint8Array, at: number, newline: number, out: Uint8Array, start: number): number | undefined {
    const header = parseHeader(spool, at);
    if (header === undefined || header.textAt > newline) {
      this.malformed++;
      return 0;
    }
    const stream = header.isError ? 1 : 0;
    const piece = spool.subarray(header.textAt, newline);
    const carry = this.carries[stream];
    const text = carry === undefined ? piece : Buffer.concat([carry.text, piece]);
    const room = (Math.floor(text.length / maxText) + 1) * this.#longest;
    if (start + room > out.length) {
      if (start === 0) this.minimumRoom = room;
      return undefined;
    }
    let to = start;
    let from = 0;
    let time = carry?.time;
    for (; text.length - from > maxText; from += maxText) {
      time ??= header.time;
      to = this.#record(out, to, text.subarray(from, from + maxText), stream, time, true);
    }
    const rest = text.subarray(from);
    if (!header.isPartial) to = this.#record(out, to, rest, stream, time ?? header.time, false);
    const kept = header.isPartial ? { text: Uint8Array.from(rest), time } : undefined;
    this.carries = stream === 0 ? [kept, this.carries[1]] : [this.carries[0], kept];
    return to - start;
  }

  #record(
    out: Uint8Array,
    start: number,
    text: Uint8Array,
    stream: 0 | 1,
    time: Uint8Array,
    isPartial: boolean,
  ): number {
    let to = copy(out, start, head);
    to = escapeText(out, to, text);
    to = copy(out, to, (isPartial ? this.#partial : this.#full)[stream]);
    to = copy(out, to, time);
    return copy(out, to, tail);
  }
}

/** Faster than a native copy for so few bytes. */
function copy(out: Uint8Array, start: number, bytes: Uint8Array): number {
  for (let index = 0; index < bytes.length; index++) out[start + index] = bytes[index] as number;
  return start + bytes.length;
}
