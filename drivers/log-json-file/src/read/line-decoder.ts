import { type LineReader, parseTime, timeLength } from '@gantry/lib-log/files';
import { hasStringEnd, viewOf } from '../words.js';
import { unescapeAt } from './unescape.js';

/** `{"log":"`, four bytes at a time. */
const headLength = 8;
const [headStart, headEnd] = [Buffer.from('{"lo').readInt32LE(), Buffer.from('g":"').readInt32LE()];

/** From the quote that ends the text to the line's end: `","stream":"stdout","time":"2026-01-01T00:00:00.000000000Z"}`. */
const suffixLength = 60;

/** A line in another form than this driver writes. */
interface ForeignLine {
  readonly time: bigint;
  readonly attributes: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads JSON lines one by one, and makes no object for one that is in the form this driver writes.
 * The fields describe the line that `decode` returned true for.
 */
export class LineDecoder implements LineReader {
  /** Where the next line begins; the same place when the line's end is not in the block. */
  next = 0;
  /** Where in `out` the text ends; a newline is part of it. */
  end = 0;
  isError = false;
  /** Where in the block the time is, unless `foreign`. */
  timeAt = 0;
  /** Where in the block the JSON of the attributes is, unless `foreign`; the same place when there are none. */
  attributesAt = 0;
  attributesEnd = 0;
  foreign: ForeignLine | undefined;

  /** How many bytes the attributes take in a line in the usual form. */
  readonly attributesLength: number;
  readonly #views: { readonly buffer: Buffer; readonly view: DataView }[] = [];

  /** @param attributes the JSON of the attributes that most lines have. */
  constructor(attributes: string | undefined) {
    this.attributesLength = attributes === undefined ? 0 : Buffer.byteLength(`"attrs":${attributes},`);
  }

  /**
   * Decodes the line at `at` and writes its text to `out`, which has room for as many bytes as the line has.
   * False: there is no whole line before `blockEnd`, or it is damaged.
   */
  decode(block: Buffer, at: number, blockEnd: number, out: Buffer, start: number): boolean {
    const source = this.#viewOf(block, 0);
    const target = this.#viewOf(out, 1);
    if (
      at + headLength > blockEnd ||
      source.getInt32(at, true) !== headStart ||
      source.getInt32(at + 4, true) !== headEnd
    ) {
      return this.#decodeForeign(block, at, blockEnd, out, start);
    }
    const lastWord = blockEnd - 4;
    let index = at + headLength;
    let to = start;
    for (; index < blockEnd; index++) {
      for (; index <= lastWord; index += 4) {
        const word = source.getInt32(index, true);
        if (hasStringEnd(word)) break;
        target.setInt32(to, word, true);
        to += 4;
      }
      const byte = block[index] as number;
      if (byte === 0x22) break;
      if (byte !== 0x5c) {
        out[to++] = byte;
        continue;
      }
      const length = unescapeAt(block, index, out, to);
      if (length === 0) return this.#decodeForeign(block, at, blockEnd, out, start);
      to += length;
      index += block[index + 1] === 0x75 ? 5 : 1;
    }
    const newline = index + suffixLength + this.attributesLength;
    const isUsual =
      newline < blockEnd &&
      block[newline] === 0x0a &&
      block[newline - 1] === 0x7d && // }
      block[newline - 3] === 0x5a && // Z
      block[newline - 13] === 0x2e && // .
      block[newline - 33] === 0x22 &&
      block[index + 3] === 0x73 && // "stream"
      block[index + 19] === 0x2c &&
      (this.attributesLength === 0 || block[index + 21] === 0x61); // "attrs"
    if (!isUsual) return this.#decodeForeign(block, at, blockEnd, out, start);
    this.next = newline + 1;
    this.end = to;
    this.isError = block[index + 15] === 0x65;
    this.timeAt = newline - 3 - timeLength;
    this.attributesAt = index + 28;
    this.attributesEnd = this.attributesAt + Math.max(0, this.attributesLength - 9);
    this.foreign = undefined;
    return true;
  }

  /** A buffer's view, which is the same for all lines of a block. */
  #viewOf(buffer: Buffer, place: 0 | 1): DataView {
    const last = this.#views[place];
    if (last?.buffer === buffer) return last.view;
    const view = viewOf(buffer);
    this.#views[place] = { buffer, view };
    return view;
  }

  /** Parses the line as JSON. */
  #decodeForeign(block: Buffer, at: number, blockEnd: number, out: Buffer, start: number): boolean {
    const newline = block.indexOf(0x0a, at);
    this.next = newline < 0 || newline >= blockEnd ? at : newline + 1;
    if (this.next === at) return false;
    const { log, stream, time, attrs } = parseObject(block.toString('utf8', at, newline));
    const nanoseconds = typeof time === 'string' ? parseTime(time) : undefined;
    if (typeof log !== 'string' || (stream !== 'stdout' && stream !== 'stderr') || nanoseconds === undefined)
      return false;
    this.end = start + out.write(log, start);
    this.isError = stream === 'stderr';
    this.foreign = { time: nanoseconds, attributes: attrs as Record<string, string> | undefined };
    return true;
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
