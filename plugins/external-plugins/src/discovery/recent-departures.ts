/** Which plugins have just left: they may be restarting. Keeps a name only for the period. */
export class RecentDepartures {
  /** In the order they left. */
  readonly #at = new Map<string, number>();

  /** @param period in milliseconds. */
  constructor(
    private readonly period: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get size(): number {
    this.#expire();
    return this.#at.size;
  }

  add(name: string): void {
    this.#expire();
    this.#at.delete(name);
    this.#at.set(name, this.now());
  }

  has(name: string): boolean {
    this.#expire();
    return this.#at.has(name);
  }

  #expire(): void {
    const oldest = this.now() - this.period;
    for (const [name, at] of this.#at) {
      if (at > oldest) return;
      this.#at.delete(name);
    }
  }
}
