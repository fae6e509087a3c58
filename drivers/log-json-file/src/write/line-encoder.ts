import { copyWords, viewOf, type Words, wordsOf } from '../words.js';
import { escapeText, longestEscape } from './json-escape.js';
import { type ByStream, head, maxText, PlainLines, tail, timeLength } from './plain-lines.js';
import { QuickLines } from './quick-lines.js';
import { parseHeader } from './spool-line.js';

/** The beginning of a line whose end has not come yet. */
export interface Carry {
  readonly text: Uint8Array;
  /** When a part of this line was written already: the time that all of its parts have. */
  readonly time: Uint8Array | undefined;
}

export type Carries = ByStream<Carry | undefined>;

/** Bytes of spool from which on the quick code is asked: daemons with little to write need not have it. */
const worthwhile = 64 * 1024;
/** Bytes that it must come far to be asked again at once; and how many lines go without it at most. */
const longRun = 1024;
const mostAtOnce = 256;

export const noCarries: Carries = [undefined, undefined];

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
  readonly #full: ByStream<Words>;
  readonly #partial: ByStream<Words>;
  readonly #plain: PlainLines;
  /** The same as `#full`. */
  readonly #after: ByStream<Uint8Array>;
  /** No record is longer than this. */
  readonly #longest: number;

  /** @param attributes JSON of the object that each record carries. */
  constructor(attributes?: string) {
    const attrs = attributes === undefined ? '' : `"attrs":${attributes},`;
    const after = (stream: string, end: string): string => `${end}","stream":"${stream}",${attrs}"time":"`;
    const full = [after('stdout', '\\n'), after('stderr', '\\n')] as const;
    this.#full = [wordsOf(full[0]), wordsOf(full[1])];
    this.#after = [Buffer.from(full[0]), Buffer.from(full[1])];
    this.#partial = [wordsOf(after('stdout', '')), wordsOf(after('stderr', ''))];
    this.#plain = new PlainLines(this.#full);
    this.#longest = head.length + maxText * longestEscape + this.#full[0].length + timeLength + tail.length;
    this.minimumRoom = 2 * this.#longest;
  }

  /**
   * Encodes lines from `from` on, until the spool ends, `out` is full, or at least `limit` bytes are written.
   * Sets `written` and `next`. A last line without its end is left out.
   */
  encode(spool: Uint8Array, from: number, out: Uint8Array, limit: number): void {
    const room = Math.min(limit - 1, out.length - 2 * this.#longest);
    const quick = spool.length - from < worthwhile ? undefined : QuickLines.of(spool, this.#after);
    let most = quick === undefined ? Number.POSITIVE_INFINITY : 1;
    let at = from;
    let to = 0;
    while (at < spool.length && to <= room) {
      const leftOut = [this.carries[0] !== undefined, this.carries[1] !== undefined] as const;
      if (quick !== undefined) {
        to = quick.encode(at, out, to, { room, leftOut });
        // Where it does not come far, it is asked less often.
        most = quick.next - at > longRun ? 1 : Math.min(most * 2, mostAtOnce);
        at = quick.next;
      }
      const before = at;
      to = this.#plain.encode(spool, at, out, to, { room, leftOut, most });
      at = this.#plain.next;
      if (at >= spool.length || to > room) break;
      if (quick !== undefined && at > before) continue;
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

  /** The slow way: scattered parts, lines that parts wait for, overlong lines, other times. Undefined: `out` has no room. */
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
    const target = viewOf(out);
    let to = copyWords(target, start, head);
    to = escapeText(out, to, text);
    to = copyWords(target, to, (isPartial ? this.#partial : this.#full)[stream]);
    out.set(time, to);
    return copyWords(target, to + timeLength, tail);
  }
}
