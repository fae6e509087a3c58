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

  /** Takes items out that are given in order. Touches no others: an inbox does not fit into a processor's cache. */
  removeAll(items: readonly T[]): void {
    const [first] = items;
    if (first === undefined) return;
    const all = this.#items;
    let next = this.#place(first);
    let kept = next;
    const keep = (end: number): void => {
      // A plain loop: the engine's own copying within an array takes ten times as long.
      for (; next < end; next++) all[kept++] = all[next] as T;
    };
    for (const item of items) {
      const place = all[next] === item ? next : this.#place(item, next);
      if (all[place] !== item) continue;
      keep(place);
      next = place + 1;
    }
    if (kept > 0) keep(all.length);
    // The oldest, as nearly always, or what is left over behind those that were moved.
    all.splice(kept, next - kept);
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

  /** The place of the first item, from a place on, that is not before the moment. */
  #place(moment: Moment, from = 0): number {
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
