/** The order of a timeline. */
interface Moment {
  readonly updatedAt: number;
  readonly arrival: number;
}

const isBefore = (one: Moment, other: Moment): boolean =>
  one.updatedAt === other.updatedAt ? one.arrival < other.arrival : one.updatedAt < other.updatedAt;

/** Items in the order of their times, oldest first. Appending, the usual case, is fast. */
export class Timeline<T extends Moment> {
  #items: T[] = [];

  get length(): number {
    return this.#items.length;
  }

  /** The item at an index, counted from the oldest. */
  at(index: number): T | undefined {
    return this.#items[index];
  }

  add(item: T): void {
    const last = this.#items.at(-1);
    if (last === undefined || isBefore(last, item)) this.#items.push(item);
    else this.#items.splice(this.#indexOf(item), 0, item);
  }

  /** Removes an item, which still has the times it was added with. */
  remove(item: T): void {
    const index = this.#indexOf(item);
    if (this.#items[index] === item) this.#items.splice(index, 1);
  }

  /** Adds items of any order. */
  fill(items: Iterable<T>): void {
    this.#items = [...this.#items, ...items].sort((a, b) => (isBefore(a, b) ? -1 : 1));
  }

  /** Removes items, given in order, without reading others: an inbox exceeds the processor's cache. */
  removeAll(items: readonly T[]): void {
    const [first] = items;
    if (first === undefined) return;
    const all = this.#items;
    let next = this.#indexOf(first);
    let kept = next;
    const keep = (end: number): void => {
      // A plain loop is ten times as fast as copyWithin.
      for (; next < end; next++) all[kept++] = all[next] as T;
    };
    for (const item of items) {
      const place = all[next] === item ? next : this.#indexOf(item, next);
      if (all[place] !== item) continue;
      keep(place);
      next = place + 1;
    }
    if (kept > 0) keep(all.length);
    // Removes the gap: at the beginning when the oldest are removed, the usual case, else at the end.
    all.splice(kept, next - kept);
  }

  /** The items updated up to `time`, oldest first. */
  until(time: number): readonly T[] {
    return this.#items.slice(0, this.firstAfter(time));
  }

  /** The index of the first item updated at `time` or later. */
  firstFrom(time: number): number {
    return this.#indexOf({ updatedAt: time, arrival: Number.NEGATIVE_INFINITY });
  }

  /** The index of the first item updated after `time`. */
  firstAfter(time: number): number {
    return this.#indexOf({ updatedAt: time, arrival: Number.POSITIVE_INFINITY });
  }

  /** The index of the first item, starting with `from`, that is not before the moment. */
  #indexOf(moment: Moment, from = 0): number {
    let [low, high] = [from, this.#items.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = this.#items[middle];
      if (item !== undefined && isBefore(item, moment)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
