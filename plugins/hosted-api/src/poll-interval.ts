import { Config, inject, injectable } from '@gantry/core/driver';
import type { HostedApiConfig } from './config.js';
import { type Load, LoadMeter } from './load-meter.js';

interface PollIntervalOptions {
  /** The interval without load. */
  readonly seconds: number;
  readonly maxSeconds: number;
  /** Beyond this rate the interval grows in proportion. */
  readonly comfortableRequestsPerSecond: number;
}

/** The utilization of a busy event loop: beyond, the interval doubles each time the idle share halves. */
const busy = 0.8;

/** Computes the whole seconds of `X-Poll-Interval` for a load. */
export function pollIntervalFor({ requestsPerSecond, utilization }: Load, options: PollIntervalOptions): number {
  const byRate = requestsPerSecond / options.comfortableRequestsPerSecond;
  const byTime = utilization < busy ? 1 : (1 - busy) / Math.max(1 - utilization, 0.01);
  return Math.min(
    Math.ceil(options.seconds * Math.max(1, byRate, byTime)),
    Math.max(options.maxSeconds, options.seconds),
  );
}

/** The poll interval for the current load. */
@injectable()
export class PollInterval {
  readonly #options: PollIntervalOptions;

  constructor(
    @inject(Config) { pollIntervalSeconds, maxPollIntervalSeconds, comfortableRequestsPerSecond }: HostedApiConfig,
    @inject(LoadMeter) private readonly meter: LoadMeter,
  ) {
    this.#options = {
      seconds: pollIntervalSeconds,
      maxSeconds: maxPollIntervalSeconds,
      comfortableRequestsPerSecond,
    };
  }

  seconds(): number {
    return pollIntervalFor(this.meter.load(), this.#options);
  }
}
