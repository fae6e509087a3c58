import { maxChanges } from './max-changes.js';

/**
 * Stores what many ask for with one transaction in flight: items that arrive meanwhile share the next. So the store has as few
 * transactions as it can take, and no more delay than one of them.
 */
export class BatchQueue<T> {
  readonly #waiting: T[] = [];
  #isStoring = false;

  /**
   * @param store stores a batch, and settles what its items wait for; never rejects.
   * @param changesOf how many changes an item makes at most: not more than a transaction has.
   */
  constructor(
    private readonly store: (batch: readonly T[]) => Promise<void>,
    private readonly changesOf: (item: T) => number,
  ) {}

  add(item: T): void {
    this.#waiting.push(item);
    if (!this.#isStoring) void this.#storeAll();
  }

  async #storeAll(): Promise<void> {
    this.#isStoring = true;
    while (this.#waiting.length > 0) await this.store(this.#takeBatch());
    this.#isStoring = false;
  }

  #takeBatch(): readonly T[] {
    let changes = 0;
    const end = this.#waiting.findIndex((item) => {
      changes += this.changesOf(item);
      return changes > maxChanges;
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }
}
