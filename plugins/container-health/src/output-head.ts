import { isUtf8 } from 'node:buffer';
import type { OutputChunk } from '@gantry/core/contracts';

/** The first bytes of what a process writes to stdout and stderr, and whether there was more. */
export class OutputHead {
  #kept: Uint8Array[] = [];
  #size = 0;
  #isTruncated = false;

  constructor(private readonly limit: number) {}

  /** Reads to the end, so that the process never blocks on a full pipe. Never rejects: a broken stream ends there. */
  async read(output: AsyncIterable<OutputChunk>): Promise<void> {
    try {
      for await (const { bytes } of output) this.#add(bytes);
    } catch {
      // The output read so far is kept.
    }
  }

  /** Followed by `...` if truncated, which is never within a character. */
  get text(): string {
    let bytes = Buffer.concat(this.#kept);
    for (let cut = 0; this.#isTruncated && cut < 3 && !isUtf8(bytes); cut++) bytes = bytes.subarray(0, -1);
    return `${bytes.toString()}${this.#isTruncated ? '...' : ''}`;
  }

  #add(bytes: Uint8Array): void {
    const room = this.limit - this.#size;
    if (bytes.length > room) this.#isTruncated = true;
    if (room <= 0) return;
    this.#kept.push(bytes.subarray(0, room));
    this.#size += Math.min(room, bytes.length);
  }
}
