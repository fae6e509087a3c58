import { injectable } from '@gantry/core/driver';

/** The progress of the current step. */
export interface Progress {
  /** 0 to 100. */
  readonly percent: number;
  readonly commitCount?: number;
}

/** The progress of running imports, in memory: it changes several times a second. */
@injectable()
export class ProgressBoard {
  readonly #byImport = new Map<number, Progress>();

  set(importId: number, progress: Progress): void {
    this.#byImport.set(importId, progress);
  }

  of(importId: number): Progress {
    return this.#byImport.get(importId) ?? { percent: 0 };
  }

  delete(importId: number): void {
    this.#byImport.delete(importId);
  }
}
