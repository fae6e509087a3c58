/** What a timeline is ordered by. */
export interface Moment {
  readonly updatedAt: number;
  readonly arrival: number;
}

const isBefore = (one: Moment, other: Moment): boolean =>
  one.updatedAt === other.updatedAt ? one.arrival < other.arrival : one.updatedAt < other.updatedAt;

/** Items in the order of their times, oldest first. What comes last, as nearly all do, is added at the end. */
export class Timeline<T extends Moment> {
  #items: T[] = [];

  get length(): number {
    return this.#items.length;
  }

  /** The item at a place, counted from the oldest. */
  at(index: number): T | undefined {
    return this.#items[index];
  }

  add(item: T): void {
    const last = this.#items.at(-1);
    if (last === undefined || isBefore(last, item)) this.#items.push(item);
    else this.#items.splice(this.#place(item), 0, item);
  }

  /** Takes an item out that has the times it was added with. */
  remove(item: T): void {
    const index = this.#place(item);
    if (this.#items[index] === item) this.#items.splice(index, 1);
  }

  /** Takes in items of any order at once. */
  fill(items: Iterable<T>): void {
    this.#items = [...this.#items, ...items].sort((a, b) => (isBefore(a, b) ? -1 : 1));
  }

  /** Takes out `count` items of which `isGone` is true, quickly when they are the oldest. */
  prune(isGone: (item: T) => boolean, count: number): void {
    let oldest = 0;
    for (let item = this.#items[0]; item !== undefined && isGone(item); item = this.#items[oldest]) oldest += 1;
    this.#items.splice(0, oldest);
    if (oldest < count) this.#items = this.#items.filter((item) => !isGone(item));
  }

  /** The items updated up to `time`, oldest first. */
  until(time: number): readonly T[] {
    return this.#items.slice(0, this.firstAfter(time));
  }

  /** The place of the first item updated at `time` or later. */
  firstFrom(time: number): number {
    return this.#place({ updatedAt: time, arrival: Number.NEGATIVE_INFINITY });
  }

  /** The place of the first item updated after `time`. */
  firstAfter(time: number): number {
    return this.#place({ updatedAt: time, arrival: Number.POSITIVE_INFINITY });
  }

  /** The place of the first item that is not before the moment. */
  #place(moment: Moment): number {
    let [low, high] = [0, this.#items.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = this.#items[middle];
      if (item !== undefined && isBefore(item, moment)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
