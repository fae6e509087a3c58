/** Most bytes of a batch. */
const batchLength = 2 ** 20;

/** Buffers that readers share: there are only as many as batches under way, and two are kept for the next. */
export class BatchBuffers {
  readonly #spare: Buffer[] = [];

  take(): Buffer {
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(batchLength);
  }

  give(buffer: Buffer): void {
    if (this.#spare.length < 2) this.#spare.push(buffer);
  }
}
