/** A set of numbers stored as ordered runs without gaps: its size depends on the gaps, not on the size of a subnet. */
export class UsedAddresses {
  /** `#firsts[i]..#lasts[i]` is one run; runs neither touch nor overlap. */
  readonly #firsts: bigint[] = [];
  readonly #lasts: bigint[] = [];

  has(value: bigint): boolean {
    const last = this.#lasts[this.#runBefore(value)];
    return last !== undefined && value <= last;
  }

  /** False when it was in already. */
  add(value: bigint): boolean {
    const before = this.#runBefore(value);
    const lastBefore = this.#lasts[before];
    if (lastBefore !== undefined && value <= lastBefore) return false;
    const continues = lastBefore === value - 1n;
    const meets = this.#firsts[before + 1] === value + 1n;
    if (continues && meets) {
      this.#lasts.splice(before, 1);
      this.#firsts.splice(before + 1, 1);
    } else if (continues) this.#lasts[before] = value;
    else if (meets) this.#firsts[before + 1] = value;
    else this.#insert(before + 1, value, value);
    return true;
  }

  delete(value: bigint): void {
    const run = this.#runBefore(value);
    const first = this.#firsts[run];
    const last = this.#lasts[run];
    if (first === undefined || last === undefined || value > last) return;
    if (first === last) {
      this.#firsts.splice(run, 1);
      this.#lasts.splice(run, 1);
    } else if (value === first) this.#firsts[run] = value + 1n;
    else if (value === last) this.#lasts[run] = value - 1n;
    else {
      this.#lasts[run] = value - 1n;
      this.#insert(run + 1, value + 1n, last);
    }
  }

  /** The smallest number from `from` up that is not in. */
  nextFree(from: bigint): bigint {
    const last = this.#lasts[this.#runBefore(from)];
    return last !== undefined && from <= last ? last + 1n : from;
  }

  #insert(run: number, first: bigint, last: bigint): void {
    this.#firsts.splice(run, 0, first);
    this.#lasts.splice(run, 0, last);
  }

  /** The last run that begins at or before a number; -1 without one. */
  #runBefore(value: bigint): number {
    let low = 0;
    let high = this.#firsts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#firsts[middle] as bigint) <= value) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
