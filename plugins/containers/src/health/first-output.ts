import { isUtf8 } from 'node:buffer';
import type { OutputChunk } from '@gantry/core/contracts';

/** The beginning of what a process writes to both its outputs, and the fact that there was more. */
export class FirstOutput {
  readonly #limit: number;
  #kept: Uint8Array[] = [];
  #size = 0;
  #isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Reads to the end, so that the process never waits for room. Never rejects: a stream that breaks ends there. */
  async read(output: AsyncIterable<OutputChunk>): Promise<void> {
    try {
      for await (const { bytes } of output) this.#add(bytes);
    } catch {
      // What was read is what there is.
    }
  }

  get text(): string {
    let bytes = Buffer.concat(this.#kept);
    // Not in the middle of a character, as far as it is text at all.
    for (let cut = 0; this.#isCut && cut < 3 && !isUtf8(bytes); cut++) bytes = bytes.subarray(0, -1);
    return `${bytes.toString()}${this.#isCut ? '...' : ''}`;
  }

  #add(bytes: Uint8Array): void {
    const room = this.#limit - this.#size;
    if (bytes.length > room) this.#isCut = true;
    if (room <= 0) return;
    this.#kept.push(bytes.subarray(0, room));
    this.#size += Math.min(room, bytes.length);
  }
}
