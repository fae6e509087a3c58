import { EngineError } from '../errors/engine-error.js';
import { type Chunk, frameHeaderLength, type StreamName } from './framer.js';

const streamNames: readonly StreamName[] = ['stdin', 'stdout', 'stderr'];

/**
 * Takes the multiplexed format apart again, however the bytes were cut on their way. A payload may come out in
 * several chunks: it is handed on as it arrives and never collected.
 */
export class Demultiplexer {
  #header = Buffer.allocUnsafe(frameHeaderLength);
  #headerFilled = 0;
  #stream: StreamName = 'stdout';
  #missing = 0;

  /** True between frames, so at a clean end of the stream. */
  get atBoundary(): boolean {
    return this.#headerFilled === 0 && this.#missing === 0;
  }

  /**
   * Takes the next bytes. The chunks are views of `bytes`.
   * @throws EngineError `invalid-argument` when a header is none.
   */
  push(bytes: Uint8Array): Chunk[] {
    const chunks: Chunk[] = [];
    let offset = 0;
    while (offset < bytes.length) {
      if (this.#missing > 0) {
        const data = bytes.subarray(offset, offset + this.#missing);
        chunks.push({ stream: this.#stream, data });
        this.#missing -= data.length;
        offset += data.length;
      } else {
        offset += this.#takeHeader(bytes, offset);
      }
    }
    return chunks;
  }

  #takeHeader(bytes: Uint8Array, offset: number): number {
    const part = bytes.subarray(offset, offset + frameHeaderLength - this.#headerFilled);
    this.#header.set(part, this.#headerFilled);
    this.#headerFilled += part.length;
    if (this.#headerFilled === frameHeaderLength) {
      const stream = streamNames[this.#header.readUInt32BE(0) / 2 ** 24];
      if (stream === undefined) {
        throw new EngineError('invalid-argument', `${this.#header.toString('hex')} is not the header of a frame`);
      }
      this.#stream = stream;
      this.#missing = this.#header.readUInt32BE(4);
      this.#headerFilled = 0;
    }
    return part.length;
  }
}
