import { type Words, wordsOf } from '../words.js';
import { longestEscape } from './json-escape.js';
import { RecordWriter, TextSource } from './record-writer.js';
import { parseHeader, type SpoolHeader, usualHeader, usualStream } from './spool-line.js';

/** By stream. */
type ByStream<T> = readonly [stdout: T, stderr: T];

/** The beginning of a line that the spool does not have to its end yet. */
export interface PartialLine {
  readonly text: Uint8Array;
  /** When a record of this line was written already: the time that all records of the line have. */
  readonly time: Uint8Array | undefined;
}

export type PartialLines = ByStream<PartialLine | undefined>;

export const noPartialLines: PartialLines = [undefined, undefined];

/** The most text one record has; a longer line is split into several. */
const maxText = 16 * 1024;
/** Without the zone. */
const timeLength = 29;
const head = wordsOf('{"log":"');
const tail = wordsOf('Z"}\n');

/**
 * Encodes spool lines as JSON lines: `{"log":"text\n","stream":"stdout","time":"2026-01-01T00:00:00.000000000Z"}`.
 * A line that comes in parts is joined; until its end has come it stays in `partial`.
 */
export class LineEncoder {
  partial: PartialLines = noPartialLines;
  /** How many bytes the last call wrote. */
  written = 0;
  /** Where in the spool the last call stopped: at the end of a line. */
  next = 0;
  /** Spool lines of no known form, which were skipped. */
  malformed = 0;
  /** The least length `out` must have. Grows when a line turns up that needs more. */
  minimumRoom: number;
  /** What follows the text, by stream: with the line's end, and without. */
  readonly #full: ByStream<Words>;
  readonly #unfinished: ByStream<Words>;
  readonly #longestRecord: number;

  /** @param attributes JSON of the object that each record has. */
  constructor(attributes?: string) {
    const attrs = attributes === undefined ? '' : `"attrs":${attributes},`;
    const after = (stream: string, end: string) => wordsOf(`${end}","stream":"${stream}",${attrs}"time":"`);
    this.#full = [after('stdout', '\\n'), after('stderr', '\\n')];
    this.#unfinished = [after('stdout', ''), after('stderr', '')];
    this.#longestRecord = head.length + maxText * longestEscape + this.#full[0].length + timeLength + tail.length;
    this.minimumRoom = 2 * this.#longestRecord;
  }

  /**
   * Encodes lines from `from` on, until the spool ends, `out` is full, or at least `limit` bytes are written.
   * Sets `written` and `next`. A last line without its newline is left for the next call.
   */
  encode(spool: Uint8Array, from: number, out: Uint8Array, limit: number): void {
    const source = new TextSource(spool);
    const writer = new RecordWriter(out);
    let at = from;
    while (at < spool.length && writer.length < limit) {
      const next = this.#encodeUsualLine(source, at, writer);
      if (next > at) {
        at = next;
        continue;
      }
      const newline = spool.indexOf(0x0a, at);
      if (newline < 0 || !this.#encodeLine(source, at, newline, writer)) break;
      at = newline + 1;
    }
    this.written = writer.length;
    this.next = at;
  }

  /** Writes the partial lines as records without a newline: their ends will not come. Sets `written`. */
  flush(out: Uint8Array, now: Uint8Array): void {
    const writer = new RecordWriter(out);
    for (const stream of [0, 1] as const) {
      const line = this.partial[stream];
      if (line === undefined) continue;
      const text = new TextSource(line.text);
      this.#putRecord(writer, text, 0, line.text.length, this.#unfinished[stream], line.time ?? now, 0);
    }
    this.partial = noPartialLines;
    this.written = writer.length;
  }

  /** Encodes a whole line with the usual header in one pass. @returns where the next one begins; `at` for any other. */
  #encodeUsualLine(spool: TextSource, at: number, writer: RecordWriter): number {
    const stream = usualStream(spool.view, at);
    if (stream === undefined || this.partial[stream] !== undefined) return at;
    const before = writer.length;
    if (before + this.#longestRecord > writer.out.length) return at;
    writer.put(head);
    const newline = writer.escapeLine(spool, at + usualHeader, maxText);
    if (newline < 0) {
      writer.length = before;
      return at;
    }
    writer.put(this.#full[stream]);
    writer.copyTime(spool, at);
    writer.put(tail);
    return newline + 1;
  }

  /** @returns false if there is no room for it. */
  #encodeLine(spool: TextSource, at: number, newline: number, writer: RecordWriter): boolean {
    const header = parseHeader(spool.bytes, at);
    if (header === undefined || header.textAt > newline) {
      this.malformed++;
      return true;
    }
    const { textAt } = header;
    const stream = header.isError ? 1 : 0;
    if (header.isPartial || this.partial[stream] !== undefined || newline - textAt > maxText) {
      return this.#encodePart(header, spool.bytes.subarray(textAt, newline), writer);
    }
    if (writer.length + this.#longestRecord > writer.out.length) return false;
    this.#putRecord(writer, spool, textAt, newline, this.#full[stream], header.time, header.timeAt);
    return true;
  }

  /** A part of a line, or a line that is too long for one record. */
  #encodePart(header: SpoolHeader, piece: Uint8Array, writer: RecordWriter): boolean {
    const stream = header.isError ? 1 : 0;
    const begun = this.partial[stream];
    const bytes = begun === undefined ? piece : Buffer.concat([begun.text, piece]);
    const room = (Math.floor(bytes.length / maxText) + 1) * this.#longestRecord;
    if (writer.length + room > writer.out.length) {
      if (writer.length === 0) this.minimumRoom = room;
      return false;
    }
    const text = new TextSource(bytes);
    const ownTime = Uint8Array.from(header.time.subarray(header.timeAt, header.timeAt + timeLength));
    let time = begun?.time;
    let from = 0;
    for (; bytes.length - from > maxText; from += maxText) {
      time ??= ownTime;
      this.#putRecord(writer, text, from, from + maxText, this.#unfinished[stream], time, 0);
    }
    if (!header.isPartial) {
      this.#putRecord(writer, text, from, bytes.length, this.#full[stream], time ?? ownTime, 0);
    }
    const rest = header.isPartial ? { text: Uint8Array.from(bytes.subarray(from)), time } : undefined;
    this.partial = stream === 0 ? [rest, this.partial[1]] : [this.partial[0], rest];
    return true;
  }

  #putRecord(
    writer: RecordWriter,
    text: TextSource,
    from: number,
    end: number,
    after: Words,
    time: Uint8Array,
    timeAt: number,
  ): void {
    writer.put(head);
    writer.escape(text, from, end);
    writer.put(after);
    writer.copy(time, timeAt, timeLength);
    writer.put(tail);
  }
}
