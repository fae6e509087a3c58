import type { SourceProgress } from '@gantry/core/contracts';

const intervalMs = 200;

/** Reports the progress of a conversion: never decreasing, and at most five times a second. */
export class ProgressReporter {
  #commitCount: number | undefined;
  #percent = 0;
  #reported: SourceProgress | undefined;
  #reportedAt = 0;

  constructor(private readonly onProgress: ((progress: SourceProgress) => void) | undefined) {
    this.#report();
  }

  get commitCount(): number | undefined {
    return this.#commitCount;
  }

  set commitCount(count: number) {
    this.#commitCount = count;
    this.#report();
  }

  /** `done` of `all` within the phase that takes the conversion from one percentage to another. */
  advance(done: number, all: number, { from, to }: { readonly from: number; readonly to: number }): void {
    const share = all > 0 ? Math.min(1, done / all) : 1;
    this.#percent = Math.max(this.#percent, Math.min(99, Math.floor(from + share * (to - from))));
    if (performance.now() - this.#reportedAt >= intervalMs) this.#report();
  }

  finish(): void {
    this.#percent = 100;
    this.#report();
  }

  #report(): void {
    const now = { commitCount: this.#commitCount, percent: this.#percent };
    if (now.commitCount === this.#reported?.commitCount && now.percent === this.#reported?.percent) return;
    this.#reported = now;
    this.#reportedAt = performance.now();
    this.onProgress?.(now);
  }
}
