import { settlesWithin } from '@gantry/core/driver';

/** How long a removal waits for a client that takes no output, and for all reads together, in milliseconds. */
const idleTimeout = 1000;
const settleTimeout = 10_000;

/** The reads of logs that are in progress, so that a removal does not cut off clients that follow to the end. */
export class OpenReads {
  readonly #reads = new Map<string, Set<OpenRead>>();

  /** @returns the same pieces. The read counts from the first request for a piece until it has ended or was closed. */
  async *track(id: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const read = new OpenRead();
    const reads = this.#reads.get(id) ?? new Set();
    this.#reads.set(id, reads.add(read));
    try {
      for await (const piece of pieces) {
        read.isAtClient = true;
        yield piece;
        read.taken++;
        read.isAtClient = false;
      }
    } finally {
      read.end();
      reads.delete(read);
      if (reads.size === 0 && this.#reads.get(id) === reads) this.#reads.delete(id);
    }
  }

  has(id: string): boolean {
    return this.#reads.has(id);
  }

  /** Resolves when the reads of a log have ended, or their clients take no output, or it takes too long. */
  async settled(id: string): Promise<void> {
    const reads = [...(this.#reads.get(id) ?? [])];
    await settlesWithin(Promise.all(reads.map((read) => read.settled())), settleTimeout);
  }
}

class OpenRead {
  /** Pieces that the client took. */
  taken = 0;
  /** The client has a piece that it has not taken yet. */
  isAtClient = false;
  #resolve = (): void => undefined;
  readonly #ended = new Promise<void>((resolve) => {
    this.#resolve = resolve;
  });

  end(): void {
    this.#resolve();
  }

  async settled(): Promise<void> {
    for (let before = -1; !this.isAtClient || this.taken !== before; ) {
      before = this.taken;
      if (await settlesWithin(this.#ended, idleTimeout)) return;
    }
  }
}
