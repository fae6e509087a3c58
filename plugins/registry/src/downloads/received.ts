import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

const pieceSize = 2 ** 20;

/**
 * What is there of a blob, in its file, and the hash of it so far. What comes while something is being written is
 * written together, so that a fast connection makes few and large writes.
 */
export class Received {
  #hash: Hash = createHash('sha256');
  #length = 0;
  /** Where in the file the next write goes. */
  #end = 0;
  #collected: Buffer[] = [];
  #collectedLength = 0;
  #writing: Promise<void> | undefined;

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
    this.#end = this.#length;
  }

  /**
   * Appends; the memory of the chunk is gone then. It is in the file after `flush`. Rejects, here or later, with what
   * writing meets.
   */
  async take(chunk: Buffer): Promise<void> {
    this.#collected.push(chunk);
    this.#collectedLength += chunk.length;
    this.#writing ??= this.#write();
    this.#hash.update(chunk);
    this.#length += chunk.length;
    if (this.#collectedLength > pieceSize) await this.#writing;
  }

  /** Resolves when all is in the file. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async restart(): Promise<void> {
    await this.flush();
    this.#hash = createHash('sha256');
    this.#length = 0;
    this.#end = 0;
    await this.handle.truncate(0);
  }

  digest(): string {
    return `sha256:${this.#hash.copy().digest('hex')}`;
  }

  /** Writes until nothing more was collected. After a failure nothing is written any more. */
  #write(): Promise<void> {
    const writing = this.#writeAll();
    // The next call gets the error.
    writing.catch(() => undefined);
    return writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#collectedLength > 0) {
      const [pieces, length] = [this.#collected, this.#collectedLength];
      this.#collected = [];
      this.#collectedLength = 0;
      const { bytesWritten } = await this.handle.writev(pieces, this.#end);
      if (bytesWritten < length) {
        throw Object.assign(new Error('the file did not take all bytes'), { code: 'ENOSPC', syscall: 'write' });
      }
      this.#end += length;
    }
    // Before anything else can be collected.
    this.#writing = undefined;
  }
}
