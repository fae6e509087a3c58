import type { Reading } from './json-page.js';
import { LineDecoder } from './line-decoder.js';
import { SimdDecoder } from './simd-decoder.js';

/** Bytes of a block from which the SIMD decoder is worth its memory. */
const simdThreshold = 64 * 1024;

/** One for all readers of a thread, made when the first of them reads much; null where the CPU lacks SIMD. */
let sharedDecoder: SimdDecoder | null | undefined;

function simdDecoderFor(block: Buffer): SimdDecoder | undefined {
  if (block.length < simdThreshold) return undefined;
  if (sharedDecoder === undefined) {
    try {
      sharedDecoder = new SimdDecoder();
    } catch {
      sharedDecoder = null;
    }
  }
  sharedDecoder?.start(block);
  return sharedDecoder ?? undefined;
}

/**
 * The texts of a block's lines one after the other, each with a header of 8 bytes, or without.
 * @param out has room for as many bytes as the block has. @returns how many of them are used.
 */
export function framesOf(block: Buffer, reading: Reading, headerLength: 0 | 8, out: Buffer): number {
  const line = new LineDecoder(reading.attributes);
  const streams = reading.filter.onlyStreams;
  const simd = streams === undefined ? undefined : simdDecoderFor(block);
  const { attributesLength } = line;
  let to = 0;
  for (let at = 0; at < block.length; at = line.next) {
    if (simd !== undefined && streams !== undefined) {
      to = simd.decode(at, out, to, { streams, headerLength, attributesLength });
      at = simd.next;
      if (at >= block.length) break;
    }
    // The frame never overruns the line it is made of: a line has more bytes around its text than a frame.
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
