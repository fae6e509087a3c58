import { unavailable } from '@gantry/core/errors';

/** Measures how long a job has been waiting for its client or a network. */
export class Stall {
  #since: number | undefined;
  #evicted = false;

  /** @param abort ends the job. */
  constructor(readonly abort: (reason: Error) => void) {}

  /** Since when, by `performance.now`; undefined while the job does not wait. */
  get since(): number | undefined {
    return this.#since;
  }

  /** The job has been ended, and its thread is free soon. */
  get evicted(): boolean {
    return this.#evicted;
  }

  begin(): void {
    this.#since ??= performance.now();
  }

  end(): void {
    this.#since = undefined;
  }

  /** Ends the job to make room for others that wait. */
  evict(): void {
    const seconds = Math.round((performance.now() - (this.since ?? performance.now())) / 1000);
    this.#since = undefined;
    this.#evicted = true;
    this.abort(unavailable(`nothing was sent or read for ${seconds} s, and others wait to transfer archives`));
  }
}
