import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

const pieceSize = 2 ** 20;

/** What is there of a blob, in its file, and the hash of it so far. */
export class Received {
  #hash: Hash = createHash('sha256');
  #length = 0;

  constructor(
    private readonly handle: FileHandle,
    private readonly size: number,
  ) {}

  get length(): number {
    return this.#length;
  }

  /** Takes in what an earlier try left. */
  async resume(signal: AbortSignal): Promise<void> {
    const there = await this.handle.stat();
    if (there.size > this.size) return this.restart();
    const piece = Buffer.allocUnsafe(pieceSize);
    while (this.#length < there.size) {
      signal.throwIfAborted();
      const { bytesRead } = await this.handle.read(piece, 0, pieceSize, this.#length);
      if (bytesRead === 0) break;
      this.#hash.update(piece.subarray(0, bytesRead));
      this.#length += bytesRead;
    }
  }

  /** Appends. The hash is made while the bytes are written. */
  async take(chunk: Buffer): Promise<void> {
    const writing = this.handle.write(chunk, 0, chunk.length, this.#length);
    this.#hash.update(chunk);
    const { bytesWritten } = await writing;
    if (bytesWritten < chunk.length) {
      throw Object.assign(new Error('the file did not take all bytes'), { code: 'ENOSPC', syscall: 'write' });
    }
    this.#length += chunk.length;
  }

  async restart(): Promise<void> {
    this.#hash = createHash('sha256');
    this.#length = 0;
    await this.handle.truncate(0);
  }

  digest(): string {
    return `sha256:${this.#hash.copy().digest('hex')}`;
  }
}
