import { blockSize } from './blocks.js';

const nothing = Buffer.alloc(0);

/**
 * What a reader's pages make their frames in: two in turn, so that one can be on its way while the next is made. Memory
 * for each page of a long log would be more for the collector than all the rest is.
 */
export class FrameBuffers {
  #one: Buffer | undefined;
  #other: Buffer | undefined;

  /** For a page of so many bytes: what the page before the last one had. Short pages are left to themselves. */
  next(length: number): Buffer {
    if (length < blockSize / 2) return nothing;
    const next = this.#other ?? Buffer.allocUnsafeSlow(blockSize);
    this.#other = this.#one;
    this.#one = next;
    return next;
  }
}
