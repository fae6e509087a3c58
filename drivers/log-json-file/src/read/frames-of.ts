import { LineDecoder } from './line-decoder.js';
import type { Reading } from './page.js';
import { QuickFrames } from './quick-frames.js';

/** Bytes of a block from which on the quick code is asked: who reads a few lines need not have it. */
const worthwhile = 64 * 1024;

/** One for all readers of a thread, made when the first of them reads much; null where the processor is too old. */
let quick: QuickFrames | null | undefined;

function quickFor(block: Buffer): QuickFrames | undefined {
  if (block.length < worthwhile) return undefined;
  if (quick === undefined) {
    try {
      quick = new QuickFrames();
    } catch {
      quick = null;
    }
  }
  quick?.begin(block);
  return quick ?? undefined;
}

/**
 * The texts of a block's lines one after the other, each with 8 bytes of header in front, or none.
 * @param out has room for as many bytes as the block has. @returns how many of them are used.
 */
export function framesOf(block: Buffer, reading: Reading, headerLength: 0 | 8, out: Buffer): number {
  const line = new LineDecoder(reading.attributes);
  const streams = reading.filter.onlyStreams;
  const fast = streams === undefined ? undefined : quickFor(block);
  const { attributesLength } = line;
  let to = 0;
  for (let at = 0; at < block.length; at = line.next) {
    if (fast !== undefined && streams !== undefined) {
      to = fast.decode(at, out, to, { streams, headerLength, attributesLength });
      at = fast.next;
      if (at >= block.length) break;
    }
    // A line is longer than its text by more than the frame's header is.
    if (!line.decode(block, at, block.length, out, to + headerLength)) {
      if (line.next === at) break;
    } else if (reading.filter.accepts(line, block)) {
      if (headerLength > 0) putHeader(out, to, line.isError, line.end - to - headerLength);
      to = line.end;
    }
  }
  return to;
}

function putHeader(out: Buffer, at: number, isError: boolean, length: number): void {
  out[at] = isError ? 2 : 1;
  out[at + 1] = 0;
  out[at + 2] = 0;
  out[at + 3] = 0;
  out[at + 4] = length >>> 24;
  out[at + 5] = length >>> 16;
  out[at + 6] = length >>> 8;
  out[at + 7] = length;
}
