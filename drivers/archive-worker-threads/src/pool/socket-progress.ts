import type { LentDescriptor } from '@gantry/core/streams';
import { closeDescriptor, duplicateDescriptor } from '@gantry/lib-linux/files';
import type { SocketSource } from './jobs.js';

/** How far a thread is with a connection it reads, in memory that both threads see. */
export class SocketProgress {
  readonly #taken: Float64Array;
  readonly #waiting: Float64Array;
  readonly #reads: Float64Array;

  constructor(readonly memory = new SharedArrayBuffer(24)) {
    this.#taken = new Float64Array(memory, 0, 1);
    this.#waiting = new Float64Array(memory, 8, 1);
    this.#reads = new Float64Array(memory, 16, 1);
  }

  /** Bytes that were read; undefined of a client that was given up, and when the thread ended while it read. */
  get taken(): number | undefined {
    return this.#reads[0] === 0 ? this.#taken[0] : undefined;
  }

  /** How long it has been waiting for the client, in milliseconds; undefined while it does not. */
  get waited(): number | undefined {
    const since = this.#waiting[0] ?? 0;
    return since === 0 ? undefined : now() - since;
  }

  /** Reads by a function that returns how much it read. */
  reading(read: () => number): number {
    this.#reads[0] = 1;
    let bytes = 0;
    try {
      bytes = read();
      return bytes;
    } finally {
      this.#taken[0] = (this.#taken[0] ?? 0) + bytes;
      this.#reads[0] = 0;
    }
  }

  /** Nothing came in time. */
  givesUp(): void {
    this.#reads[0] = 1;
  }

  waits(): void {
    this.#waiting[0] = now();
  }

  goesOn(): void {
    this.#waiting[0] = 0;
  }
}

/** Has a thread read what was lent, and gives it back when the thread has let go of it. */
export async function readingLent<T>(
  lent: LentDescriptor,
  read: (source: SocketSource, progress: SocketProgress) => Promise<T>,
): Promise<T> {
  const { beginning, length, idle } = lent;
  const progress = new SocketProgress();
  let own: number | undefined;
  try {
    // The client may go meanwhile, and its descriptor's number become another's.
    own = duplicateDescriptor(lent.descriptor);
    return await read({ beginning, descriptor: own, length, idle, progress: progress.memory }, progress);
  } finally {
    if (own !== undefined) closeDescriptor(own);
    await lent.giveBack(progress.taken);
  }
}

/** Milliseconds of a clock that is the same in all threads. */
function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
