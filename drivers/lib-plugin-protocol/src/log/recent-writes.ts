interface Write {
  readonly bytes: Buffer;
  readonly at: number;
  /** Offset after its last byte in everything written. */
  readonly end: number;
}

/** A plugin that died may have lost what it read within this time (milliseconds). */
const retention = 1000;
/** Largest number of bytes kept besides the last write. */
const maxBytes = 256 * 1024;

/** The latest writes to a FIFO, to repeat them when the reader dies before it stored them. */
export class RecentWrites {
  #writes: Write[] = [];
  #end = 0;

  add(bytes: Buffer): void {
    this.#end += bytes.length;
    this.#writes.push({ bytes, at: performance.now(), end: this.#end });
    while (this.#writes.length > 1 && this.#end - (this.#writes[0]?.end ?? 0) > maxBytes) this.#writes.shift();
  }

  /** Returns and forgets the writes that a reader with so many unread bytes may have lost. */
  drainLost(unread: number): readonly Buffer[] {
    const since = performance.now() - retention;
    const lost = this.#writes.filter(({ at, end }) => at > since || end > this.#end - unread);
    this.#writes = [];
    return lost.map(({ bytes }) => bytes);
  }
}
