import { unavailable } from '../errors/engine-error.js';

/** What a full queue left out. */
export interface Lost {
  readonly items: number;
  /** In the unit of the limit. */
  readonly size: number;
}

export interface QueueOptions<T> {
  /** How much may wait, in the unit of `sizeOf`. One item larger than this is still taken by an empty queue. */
  readonly limit: number;
  /** What an item counts: its bytes, or 1. */
  sizeOf(item: T): number;
  /**
   * What a full queue does. Without it the queue fails and forgets what waits: the reader hears why at once. With
   * it new items are left out until there is room, and the reader finds this marker in their place.
   */
  lost?(lost: Lost): T;
}

/**
 * A queue between a source that never waits and one reader that may be slow. Items come out in the order they went
 * in. It ends after `end` once everything was read, or at once after `fail` and `cancel`.
 */
export class BoundedQueue<T> {
  readonly #options: QueueOptions<T>;
  readonly #failed = new AbortController();
  #items: T[] = [];
  #size = 0;
  #lost: Lost = { items: 0, size: 0 };
  #ended = false;
  #wake: (() => void) | undefined;
  #takes = 0;
  #onTake: (() => void) | undefined;
  #onClose: (() => void) | undefined;

  constructor(options: QueueOptions<T>, onClose?: () => void) {
    this.#options = options;
    this.#onClose = onClose;
  }

  /** How much waits, in the unit of `sizeOf`. */
  get size(): number {
    return this.#size;
  }

  get limit(): number {
    return this.#options.limit;
  }

  /** Counts the reader's steps, to distinguish a slow reader from a stalled one. */
  get takes(): number {
    return this.#takes;
  }

  /** Aborts with the reason when the queue fails. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  get isOpen(): boolean {
    return !this.#ended && !this.#failed.signal.aborted;
  }

  /** Puts an item in. @returns false when the queue is closed, or full and the item was left out. */
  push(item: T): boolean {
    if (!this.isOpen) return false;
    const size = this.#options.sizeOf(item);
    if (!this.#hasRoom(size)) return this.#overflow(size);
    this.#putLostMarker();
    this.#put(item, size);
    return true;
  }

  /** No more items come; the reader still gets what waits. */
  end(): void {
    if (!this.isOpen) return;
    this.#putLostMarker();
    this.#ended = true;
    this.#close();
  }

  /** Ends the queue at once: the reader's next step rejects with the reason. */
  fail(reason: Error): void {
    if (this.#failed.signal.aborted) return;
    this.#items = [];
    this.#size = 0;
    this.#failed.abort(reason);
    this.#close();
  }

  /** The reader goes: what waits is forgotten and pushes are refused. */
  cancel(): void {
    this.#items = [];
    this.#size = 0;
    this.#ended = true;
    this.#close();
  }

  /** Calls once, after the reader's next step or when the queue closes. */
  onceTaken(callback: () => void): void {
    if (this.isOpen) this.#onTake = callback;
    else callback();
  }

  /**
   * The items in portions of at most `portion` (in the unit of `sizeOf`; never less than one item). Leaving the loop
   * cancels the queue. Rejects with the reason of `fail`.
   */
  async *batches(portion = 256 * 1024): AsyncGenerator<T[], void, undefined> {
    try {
      for (;;) {
        // A reader that has caught up gets the gap notice at once: there may be no later item to carry it.
        if (this.#items.length === 0 && this.isOpen) this.#putLostMarker();
        if (this.#items.length === 0 && this.isOpen) await this.#more();
        this.#failed.signal.throwIfAborted();
        if (this.#items.length === 0) return;
        yield this.#take(portion);
      }
    } finally {
      this.cancel();
    }
  }

  /** The items one by one. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const batch of this.batches()) yield* batch;
  }

  #hasRoom(size: number): boolean {
    return this.#items.length === 0 || this.#size + size <= this.#options.limit;
  }

  #overflow(size: number): false {
    if (this.#options.lost) {
      this.#lost = { items: this.#lost.items + 1, size: this.#lost.size + size };
    } else {
      this.fail(unavailable(`the reader is too slow: ${this.#size} of at most ${this.#options.limit} bytes wait`));
    }
    return false;
  }

  #putLostMarker(): void {
    if (this.#lost.items === 0 || !this.#options.lost) return;
    const marker = this.#options.lost(this.#lost);
    this.#lost = { items: 0, size: 0 };
    this.#put(marker, this.#options.sizeOf(marker));
  }

  #put(item: T, size: number): void {
    this.#items.push(item);
    this.#size += size;
    this.#wake?.();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  #take(portion: number): T[] {
    let count = 0;
    let size = 0;
    for (const item of this.#items) {
      const next = this.#options.sizeOf(item);
      if (count > 0 && size + next > portion) break;
      count++;
      size += next;
    }
    this.#size -= size;
    this.#takes++;
    const taken = count === this.#items.length ? this.#items : this.#items.splice(0, count);
    if (taken === this.#items) this.#items = [];
    this.#notifyTaken();
    return taken;
  }

  #notifyTaken(): void {
    const callback = this.#onTake;
    this.#onTake = undefined;
    callback?.();
  }

  #close(): void {
    this.#wake?.();
    this.#notifyTaken();
    const callback = this.#onClose;
    this.#onClose = undefined;
    callback?.();
  }
}
