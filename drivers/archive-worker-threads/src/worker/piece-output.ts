import { readSync } from 'node:fs';
import { pieceSize } from '../pool/protocol.js';
import type { JobContext } from './job-context.js';

/** What a job writes, gathered to pieces of one size. */
export class PieceOutput {
  #piece = Buffer.allocUnsafeSlow(pieceSize);
  #used = 0;

  constructor(private readonly context: JobContext) {}

  async write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const length = bytes.copy(this.#piece, this.#used, at);
      this.#used += length;
      at += length;
      if (this.#used === pieceSize) await this.flush();
    }
  }

  /** Writes the next so many bytes of an open file. @returns how many the file did not have. */
  async writeFile(fd: number, length: number): Promise<number> {
    let remaining = length;
    while (remaining > 0) {
      // Straight into the piece: no other memory is touched.
      const bytes = readSync(fd, this.#piece, this.#used, Math.min(remaining, pieceSize - this.#used), null);
      if (bytes === 0) break;
      this.#used += bytes;
      remaining -= bytes;
      if (this.#used === pieceSize) await this.flush();
    }
    return remaining;
  }

  async writeZeros(length: number): Promise<void> {
    for (let remaining = length; remaining > 0; ) {
      const bytes = Math.min(remaining, pieceSize - this.#used);
      this.#piece.fill(0, this.#used, this.#used + bytes);
      this.#used += bytes;
      remaining -= bytes;
      if (this.#used === pieceSize) await this.flush();
    }
  }

  async flush(): Promise<void> {
    if (this.#used === 0) return;
    const bytes = this.#piece.subarray(0, this.#used);
    this.#piece = Buffer.allocUnsafeSlow(pieceSize);
    this.#used = 0;
    await this.context.output(bytes);
  }
}
