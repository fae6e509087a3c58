/** How far the step has come that an import is in. */
export interface Progress {
  /** 0 to 100. */
  readonly percent: number;
  readonly commitCount?: number;
}

/** The figures of running imports: they move many times a second and are not worth a place on the disk. */
export class ProgressBoard {
  readonly #figures = new Map<number, Progress>();

  set(importId: number, progress: Progress): void {
    this.#figures.set(importId, progress);
  }

  of(importId: number): Progress {
    return this.#figures.get(importId) ?? { percent: 0 };
  }

  clear(importId: number): void {
    this.#figures.delete(importId);
  }
}
