import { conflict } from '@gantry/core/errors';

/** What a pipe of the kernel holds. */
const capacity = 64 * 1024;

/** A pipe in memory: a writer waits while it is full, a reader while it is empty. */
export class ByteQueue {
  #chunks: Uint8Array[] = [];
  #size = 0;
  #ended = false;
  #readers: (() => void)[] = [];
  #writers: (() => void)[] = [];

  /** Resolves when all bytes are in the pipe. Rejects `conflict` once it is closed or `isGone` says so. */
  async write(bytes: Uint8Array, isGone: () => boolean): Promise<void> {
    let rest = Uint8Array.from(bytes);
    do {
      while (this.#size >= capacity && !this.#ended && !isGone()) {
        await new Promise<void>((resolve) => this.#writers.push(resolve));
      }
      if (this.#ended || isGone()) throw conflict('stdin is closed');
      const part = rest.subarray(0, capacity - this.#size);
      rest = rest.subarray(part.length);
      if (part.length > 0) this.#chunks.push(part);
      this.#size += part.length;
      this.#wake();
    } while (rest.length > 0);
  }

  /** What there is, when there is something. Undefined at the end. */
  async read(): Promise<Uint8Array | undefined> {
    while (this.#chunks.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => this.#readers.push(resolve));
    }
    const chunk = this.#chunks.shift();
    this.#size -= chunk?.length ?? 0;
    this.#wake();
    return chunk;
  }

  /** Puts back what was read too much. */
  unread(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#chunks.unshift(bytes);
    this.#size += bytes.length;
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Wakes all waiting readers and writers. */
  #wake(): void {
    for (const waiting of [...this.#readers.splice(0), ...this.#writers.splice(0)]) waiting();
  }

  /** A writer whose queue was closed meanwhile gets an error. */
  wake(): void {
    this.#wake();
  }
}
