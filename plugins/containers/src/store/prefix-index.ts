/** Sorted keys, to find those that begin with a prefix in logarithmic time. */
export class PrefixIndex {
  readonly #keys: string[] = [];

  add(key: string): void {
    const place = this.#placeOf(key);
    if (this.#keys[place] !== key) this.#keys.splice(place, 0, key);
  }

  delete(key: string): void {
    const place = this.#placeOf(key);
    if (this.#keys[place] === key) this.#keys.splice(place, 1);
  }

  /** The one key with the prefix; `ambiguous` when there are several. */
  find(prefix: string): string | 'ambiguous' | undefined {
    const place = this.#placeOf(prefix);
    const [first, second] = [this.#keys[place], this.#keys[place + 1]];
    if (first === undefined || !first.startsWith(prefix)) return undefined;
    return second?.startsWith(prefix) ? 'ambiguous' : first;
  }

  /** Where the key is or would be. */
  #placeOf(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
