import { parseHeader, type SpoolHeader } from './spool-line.js';
import { TextSource } from './text-source.js';

/** By stream. */
export type ByStream<T> = readonly [stdout: T, stderr: T];

/** The beginning of a line that the spool does not have to its end yet. */
export interface PartialLine {
  readonly text: Uint8Array;
  /** When a record of this line was written already: the time that all records of the line have. */
  readonly time: Uint8Array | undefined;
}

export type PartialLines = ByStream<PartialLine | undefined>;

export const noPartialLines: PartialLines = [undefined, undefined];

/** The most text one record has; a longer line is split into several. */
export const maxText = 16 * 1024;

/** What a record is made of. */
export interface RecordParts {
  readonly stream: 0 | 1;
  /** The next record of the stream does not continue its line. */
  readonly isFull: boolean;
  /** UTC without a zone, `timeLength` bytes from `timeAt` on. */
  readonly time: Uint8Array;
  readonly timeAt: number;
}

/** Writes records one after the other. */
interface Writer {
  readonly out: Uint8Array;
  /** How many bytes are written. */
  length: number;
}

/** Encodes spool lines as records. A line that comes in parts is joined; until its end has come it stays in `partial`. */
export abstract class LineEncoder<W extends Writer> {
  partial: PartialLines = noPartialLines;
  /** How many bytes the last call wrote. */
  written = 0;
  /** Where in the spool the last call stopped: at the end of a line. */
  next = 0;
  /** Spool lines of no known form, which were skipped. */
  malformed = 0;
  /** The least length `out` must have. Grows when a line turns up that needs more. */
  minimumRoom: number;

  /** @param longestRecord the most bytes that a record takes. */
  constructor(protected readonly longestRecord: number) {
    this.minimumRoom = 2 * longestRecord;
  }

  protected abstract writerFor(out: Uint8Array): W;

  /** Writes a record with a text of at most `maxText` bytes; there is room for it. */
  protected abstract putRecord(writer: W, text: Uint8Array, parts: RecordParts): void;

  /** Encodes a whole line with the usual header in one pass. @returns where the next one begins; `at` for any other. */
  protected encodeUsualLine(_spool: TextSource, at: number, _writer: W): number {
    return at;
  }

  /**
   * Encodes lines from `from` on, until the spool ends, `out` is full, or at least `limit` bytes are written.
   * Sets `written` and `next`. A last line without its newline is left for the next call.
   */
  encode(spool: Uint8Array, from: number, out: Uint8Array, limit: number): void {
    const writer = this.writerFor(out);
    const source = new TextSource(spool);
    let at = from;
    while (at < spool.length && writer.length < limit) {
      const next = this.encodeUsualLine(source, at, writer);
      if (next > at) {
        at = next;
        continue;
      }
      const newline = spool.indexOf(0x0a, at);
      if (newline < 0 || !this.#encodeLine(spool, at, newline, writer)) break;
      at = newline + 1;
    }
    this.written = writer.length;
    this.next = at;
  }

  /** Writes the partial lines as records without a newline: their ends will not come. Sets `written`. */
  flush(out: Uint8Array, now: Uint8Array): void {
    const writer = this.writerFor(out);
    for (const stream of [0, 1] as const) {
      const line = this.partial[stream];
      if (line === undefined) continue;
      this.putRecord(writer, line.text, { stream, isFull: false, time: line.time ?? now, timeAt: 0 });
    }
    this.partial = noPartialLines;
    this.written = writer.length;
  }

  /** @returns false if there is no room for it. */
  #encodeLine(spool: Uint8Array, at: number, newline: number, writer: W): boolean {
    const header = parseHeader(spool, at);
    if (header === undefined || header.textAt > newline) {
      this.malformed++;
      return true;
    }
    const { textAt, time, timeAt } = header;
    const stream = header.isError ? 1 : 0;
    const text = spool.subarray(textAt, newline);
    if (header.isPartial || this.partial[stream] !== undefined || text.length > maxText) {
      return this.#encodePart(header, text, writer);
    }
    if (writer.length + this.longestRecord > writer.out.length) return false;
    this.putRecord(writer, text, { stream, isFull: true, time, timeAt });
    return true;
  }

  /** A part of a line, or a line that is too long for one record. */
  #encodePart(header: SpoolHeader, piece: Uint8Array, writer: W): boolean {
    const stream = header.isError ? 1 : 0;
    const begun = this.partial[stream];
    const bytes = begun === undefined ? piece : Buffer.concat([begun.text, piece]);
    const room = (Math.floor(bytes.length / maxText) + 1) * this.longestRecord;
    if (writer.length + room > writer.out.length) {
      if (writer.length === 0) this.minimumRoom = room;
      return false;
    }
    const ownTime = Uint8Array.from(header.time.subarray(header.timeAt, header.timeAt + timeLength));
    let time = begun?.time;
    let from = 0;
    for (; bytes.length - from > maxText; from += maxText) {
      time ??= ownTime;
      this.putRecord(writer, bytes.subarray(from, from + maxText), { stream, isFull: false, time, timeAt: 0 });
    }
    const rest = bytes.subarray(from);
    if (!header.isPartial) this.putRecord(writer, rest, { stream, isFull: true, time: time ?? ownTime, timeAt: 0 });
    const kept = header.isPartial ? { text: Uint8Array.from(rest), time } : undefined;
    this.partial = stream === 0 ? [kept, this.partial[1]] : [this.partial[0], kept];
    return true;
  }
}

/** The bytes of a time without its zone: `2026-01-01T00:00:00.000000000`. */
export const timeLength = 29;
