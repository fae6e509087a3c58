import { type EventLoopUtilization, performance } from 'node:perf_hooks';

export interface Load {
  readonly requestsPerSecond: number;
  /** Share of the time the event loop was busy, 0 to 1. */
  readonly utilization: number;
}

/** The window over which the request rate is averaged. */
const windowSeconds = 10;

/** Measures the load of this process. */
export class LoadMeter {
  /** Requests in each of the last seconds, by second modulo the window. */
  readonly #counts = new Array<number>(windowSeconds).fill(0);
  #second = 0;
  #measured: EventLoopUtilization = performance.eventLoopUtilization();
  #utilization = 0;

  constructor(private readonly now: () => number = Date.now) {}

  /** Counts one request. */
  count(): void {
    this.#advance();
    const at = this.#second % windowSeconds;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  load(): Load {
    this.#advance();
    const requests = this.#counts.reduce((sum, count) => sum + count, 0);
    return { requestsPerSecond: requests / windowSeconds, utilization: this.#utilization };
  }

  /** Resets the counters of seconds that have left the window. */
  #advance(): void {
    const second = Math.floor(this.now() / 1000);
    if (second === this.#second) return;
    const passed = Math.min(Math.max(second - this.#second, 1), windowSeconds);
    for (let back = 0; back < passed; back++) this.#counts[(second - back) % windowSeconds] = 0;
    this.#second = second;
    const measured = performance.eventLoopUtilization();
    this.#utilization = performance.eventLoopUtilization(measured, this.#measured).utilization;
    this.#measured = measured;
  }
}
