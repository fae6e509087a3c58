/** Items of which the first in an order is at hand; the others are not sorted. */
export class Heap<T> {
  readonly #items: T[];

  /** @param compare negative when the first argument comes before the other. */
  constructor(
    items: readonly T[],
    private readonly compare: (one: T, other: T) => number,
  ) {
    this.#items = [...items];
    for (let index = (this.#items.length >> 1) - 1; index >= 0; index--) this.#sink(index);
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  /** The first item has come to be later in the order. */
  demoteFirst(): void {
    this.#sink(0);
  }

  removeFirst(): void {
    const last = this.#items.pop();
    if (last === undefined || this.#items.length === 0) return;
    this.#items[0] = last;
    this.#sink(0);
  }

  #sink(start: number): void {
    const items = this.#items;
    let index = start;
    for (;;) {
      let next = index;
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < items.length && this.compare(items[child] as T, items[next] as T) < 0) next = child;
      }
      if (next === index) return;
      [items[index], items[next]] = [items[next] as T, items[index] as T];
      index = next;
    }
  }
}
