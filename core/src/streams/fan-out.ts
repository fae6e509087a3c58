import { BoundedQueue, type QueueOptions } from './bounded-queue.js';

export interface FanOutOptions {
  /** How long `room` waits for a stalled reader, in milliseconds. Default 10 s. */
  readonly stallTimeout?: number;
}

/**
 * One source, many readers, each with a queue of its own: a stalled reader fills its own queue and
 * no other.
 *
 * A source that cannot wait only pushes: a reader whose queue is full fails or loses items, as its options say. A
 * source that can wait a little (the output of a process) awaits `room` between two pushes: then a reader that is
 * slow but alive loses nothing, and a stalled one blocks the source once, for `stallTimeout`.
 */
export class FanOut<T> {
  readonly #queues = new Set<BoundedQueue<T>>();
  readonly #stallTimeout: number;
  /** Readers that stalled for too long, with the step they stalled at. */
  readonly #stalled = new WeakMap<BoundedQueue<T>, number>();
  #ended = false;

  constructor(options: FanOutOptions = {}) {
    this.#stallTimeout = options.stallTimeout ?? 10_000;
  }

  /** The readers there are. */
  get readers(): number {
    return this.#queues.size;
  }

  /** Adds a reader of what is pushed from now on. It leaves by `cancel`, or by leaving its loop. */
  subscribe(options: QueueOptions<T>): BoundedQueue<T> {
    const queue: BoundedQueue<T> = new BoundedQueue(options, () => this.#queues.delete(queue));
    if (this.#ended) queue.end();
    else this.#queues.add(queue);
    return queue;
  }

  /** Hands an item to every reader; never waits and never throws. */
  push(item: T): void {
    for (const queue of this.#queues) queue.push(item);
  }

  /**
   * Resolves when no reader has more than half of its queue waiting, readers that stand still left out.
   * @returns undefined when that is so already.
   */
  room(): Promise<void> | undefined {
    const full = this.#slowest();
    return full === undefined ? undefined : this.#waitFor(full);
  }

  /** No more items come; readers get what waits, then their end. */
  end(): void {
    this.#ended = true;
    for (const queue of [...this.#queues]) queue.end();
  }

  /** Ends every reader at once with the reason. */
  fail(reason: Error): void {
    this.#ended = true;
    for (const queue of [...this.#queues]) queue.fail(reason);
  }

  #slowest(): BoundedQueue<T> | undefined {
    for (const queue of this.#queues) {
      if (queue.size > queue.limit / 2 && this.#stalled.get(queue) !== queue.takes) return queue;
    }
    return undefined;
  }

  async #waitFor(first: BoundedQueue<T>): Promise<void> {
    for (let queue: BoundedQueue<T> | undefined = first; queue !== undefined; queue = this.#slowest()) {
      const step = queue.takes;
      await this.#step(queue);
      if (queue.takes === step) this.#stalled.set(queue, step);
    }
  }

  #step(queue: BoundedQueue<T>): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#stallTimeout);
      queue.onceTaken(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
