import { type EventLoopUtilization, performance } from 'node:perf_hooks';

interface PollIntervalOptions {
  /** Without load. */
  readonly seconds: number;
  readonly maxSeconds: number;
  /** From here on the interval grows in proportion. */
  readonly comfortableRequestsPerSecond: number;
}

interface Load {
  readonly requestsPerSecond: number;
  /** Share of the time the event loop was busy, 0 to 1. */
  readonly utilization: number;
}

/** The event loop is called busy from here on, and the interval doubles with every halving of what is left. */
const busy = 0.8;

/** Whole seconds clients are asked to wait between polls: for `X-Poll-Interval`. */
export function pollIntervalFor({ requestsPerSecond, utilization }: Load, options: PollIntervalOptions): number {
  const byRate = requestsPerSecond / options.comfortableRequestsPerSecond;
  const byTime = utilization < busy ? 1 : (1 - busy) / Math.max(1 - utilization, 0.01);
  return Math.min(
    Math.ceil(options.seconds * Math.max(1, byRate, byTime)),
    Math.max(options.maxSeconds, options.seconds),
  );
}

/** Requests are counted over so many seconds. */
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
    this.#turn();
    const at = this.#second % windowSeconds;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  load(): Load {
    this.#turn();
    const requests = this.#counts.reduce((sum, count) => sum + count, 0);
    return { requestsPerSecond: requests / windowSeconds, utilization: this.#utilization };
  }

  /** Forgets seconds that have left the window. */
  #turn(): void {
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
