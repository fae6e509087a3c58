interface Write {
  readonly bytes: Buffer;
  readonly at: number;
  /** Of its last byte, in all that was written. */
  readonly end: number;
}

/** What was read, and written so lately (milliseconds), may be in the memory of a plugin that died. */
const lately = 1000;
/** Most bytes that are kept beside the last write. */
const most = 256 * 1024;

/** The last of what went into a FIFO, for a reader that dies with it. */
export class RecentWrites {
  #writes: Write[] = [];
  #end = 0;

  add(bytes: Buffer): void {
    this.#end += bytes.length;
    this.#writes.push({ bytes, at: performance.now(), end: this.#end });
    while (this.#writes.length > 1 && this.#end - (this.#writes[0]?.end ?? 0) > most) this.#writes.shift();
  }

  /** Takes what a reader may not have kept, that left so many bytes unread: whole writes. */
  take(unread: number): readonly Buffer[] {
    const since = performance.now() - lately;
    const lost = this.#writes.filter(({ at, end }) => at > since || end > this.#end - unread);
    this.#writes = [];
    return lost.map(({ bytes }) => bytes);
  }
}
