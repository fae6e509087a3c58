/** Bytes of the largest batch. */
const batchLength = 2 ** 20;

/** Buffers shared by all readers: as many as there are batches in progress, of which two are kept for reuse. */
export class BatchBuffers {
  readonly #spare: Buffer[] = [];

  acquire(): Buffer {
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(batchLength);
  }

  release(buffer: Buffer): void {
    if (this.#spare.length < 2) this.#spare.push(buffer);
  }
}
