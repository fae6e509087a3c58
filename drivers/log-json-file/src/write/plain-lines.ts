import { copyWords, hasSpecial, viewOf, type Words, wordsOf } from '../words.js';
import { characterLength, escapeAscii, escapeInvalid, escapeSeparator, isSeparator, special } from './json-escape.js';
import { isPart, isPlain, plainHeader, streamOf } from './spool-line.js';

/** The most text one record has; a longer line is cut into partial ones. */
export const maxText = 16 * 1024;
/** Without the zone. */
export const timeLength = 29;
export const head = wordsOf('{"log":"');
export const tail = wordsOf('Z"}\n');

/** By stream. */
export type ByStream<T> = readonly [stdout: T, stderr: T];

export interface PlainLinesLimits {
  /** No line is begun behind this in `out`. */
  readonly room: number;
  readonly leftOut: ByStream<boolean>;
  readonly most: number;
}

/** Encodes lines that need no memory: whole ones, and those whose parts follow each other, as the monitor cuts them. */
export class PlainLines {
  /** Where in the spool the last call stopped: at a line that is none of these. */
  next = 0;

  /** @param after what comes between text and time. */
  constructor(private readonly after: ByStream<Words>) {}

  /**
   * Encodes lines until one is not plain, is overlong or has no end; until its stream is left out; or until `room` is
   * exceeded, or as many as there may be. Sets `next`.
   * @returns where to go on in `out`.
   */
  encode(
    spool: Uint8Array,
    from: number,
    out: Uint8Array,
    start: number,
    { room, leftOut, most }: PlainLinesLimits,
  ): number {
    const source = viewOf(spool);
    const target = viewOf(out);
    let at = from;
    let done = start;
    for (let rest = most; rest > 0 && done <= room && isPlain(spool, at) && !leftOut[streamOf(spool, at)]; rest--) {
      const stream = streamOf(spool, at);
      // No piece that comes from a monitor is longer than half a record.
      const end = Math.min(spool.length, at + 2 * maxText);
      let header = at;
      let index = at + plainHeader;
      let overhead = index;
      let isWhole = false;
      let to = copyWords(target, done, head);
      for (; index < end; index++) {
        for (; index + 4 <= end; index += 4) {
          const word = source.getInt32(index, true);
          if (hasSpecial(word)) break;
          target.setInt32(to, word, true);
          to += 4;
        }
        const byte = spool[index] as number;
        if (special[byte] === 0) out[to++] = byte;
        else if (index - overhead > maxText) break;
        else if (byte === 0x0a) {
          isWhole = !isPart(spool, header);
          if (isWhole) break;
          header = index + 1;
          if (!isPlain(spool, header) || streamOf(spool, header) !== stream) break;
          overhead += plainHeader + 1;
          index += plainHeader;
        } else if (byte < 0x80) to = escapeAscii(out, to, byte);
        else {
          const length = characterLength(spool, index, end);
          if (length === 0) {
            // The parts of a line may be those of a character, too.
            if (isPart(spool, header)) break;
            to = escapeInvalid(out, to);
          } else if (length === 3 && isSeparator(spool, index)) {
            to = escapeSeparator(out, to, spool[index + 2] as number);
            index += 2;
          } else {
            for (let rest = length; rest > 1; rest--) out[to++] = spool[index++] as number;
            out[to++] = spool[index] as number;
          }
        }
      }
      if (!isWhole) break;
      to = copyWords(target, to, this.after[stream]);
      for (let place = 0; place < 28; place += 4) {
        target.setInt32(to + place, source.getInt32(header + place, true), true);
      }
      out[to + 28] = spool[header + 28] as number;
      done = copyWords(target, to + timeLength, tail);
      at = index + 1;
    }
    this.next = at;
    return done;
  }
}
