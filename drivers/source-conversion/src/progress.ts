import type { ConversionProgress } from './conversion-context.js';

const leastMs = 200;

/** Tells how far a conversion is: never back, and not more often than a person can see. */
export class Progress {
  #commitCount: number | undefined;
  #percent = 0;
  #told: ConversionProgress | undefined;
  #toldAt = 0;

  constructor(private readonly tell: ((progress: ConversionProgress) => void) | undefined) {
    this.#tellNow();
  }

  get commitCount(): number | undefined {
    return this.#commitCount;
  }

  set commitCount(count: number) {
    this.#commitCount = count;
    this.#tellNow();
  }

  /** `done` of `all` in the part of the work that goes from one percentage to another. */
  advance(done: number, all: number, { from, to }: { readonly from: number; readonly to: number }): void {
    const share = all > 0 ? Math.min(1, done / all) : 1;
    this.#percent = Math.max(this.#percent, Math.min(99, Math.floor(from + share * (to - from))));
    if (performance.now() - this.#toldAt >= leastMs) this.#tellNow();
  }

  finish(): void {
    this.#percent = 100;
    this.#tellNow();
  }

  #tellNow(): void {
    const now = { commitCount: this.#commitCount, percent: this.#percent };
    if (now.commitCount === this.#told?.commitCount && now.percent === this.#told?.percent) return;
    this.#told = now;
    this.#toldAt = performance.now();
    this.tell?.(now);
  }
}
