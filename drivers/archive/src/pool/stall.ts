import { unavailable } from '@gantry/core/errors';
import type { SocketProgress } from './socket-progress.js';

/** How far a job waits for a client or a network, that is, for nothing the engine could do. */
export class Stall {
  #since: number | undefined;

  /** `socket`: what the thread waits for by itself. */
  constructor(
    /** Ends the job. */
    readonly giveUp: (reason: Error) => void,
    private readonly socket?: SocketProgress,
  ) {}

  /** Since when, by `performance.now`; undefined while it does not wait. */
  get since(): number | undefined {
    const waited = this.socket?.waited;
    return waited === undefined ? this.#since : performance.now() - waited;
  }

  begin(): void {
    this.#since ??= performance.now();
  }

  end(): void {
    this.#since = undefined;
  }

  /** Ends the job, for others wait for its place. */
  giveWay(): void {
    const seconds = Math.round((performance.now() - (this.since ?? performance.now())) / 1000);
    this.#since = undefined;
    this.giveUp(unavailable(`nothing was sent or read for ${seconds} s, and others wait to transfer archives`));
  }
}
