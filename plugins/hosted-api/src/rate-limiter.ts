import type { HostedApiConfig } from './config.js';

interface RateLimits {
  /** Requests in an hour. */
  readonly perHour: number;
  /** Requests in a minute, including those that do not count in the hour. */
  readonly perMinute: number;
}

/**
 * The outcome of a request. `exhausted`: the hourly limit is used up. `burst`: the client exceeded the limit of the
 * minute. `spam`: it exceeded twice that limit.
 */
export type Verdict =
  | { readonly outcome: 'admitted' }
  | { readonly outcome: 'exhausted' | 'burst' | 'spam'; readonly retryAfterSeconds: number };

interface RateStatus {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** UNIX seconds at which a new hour begins. */
  readonly reset: number;
}

interface Usage {
  hourEnds: number;
  used: number;
  minuteEnds: number;
  inMinute: number;
}

/** Clients that are tracked; beyond, the oldest is evicted, since an attacker can use any number of addresses. */
const mostClients = 100_000;

const minute = 60_000;
const hour = 60 * minute;

/** Counts requests per client in fixed windows that begin with the client's first request. */
export class RateLimiter {
  readonly #usages = new Map<string, Usage>();
  #nextSweep = 0;

  constructor(
    private readonly limits: RateLimits,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts one request of a client. A refused request does not count in the hour. */
  take(client: string): Verdict {
    const usage = this.#usageOf(client);
    const { perHour, perMinute } = this.limits;
    usage.inMinute += 1;
    if (usage.used >= perHour) return { outcome: 'exhausted', retryAfterSeconds: this.#secondsUntil(usage.hourEnds) };
    if (usage.inMinute > perMinute) {
      const outcome = usage.inMinute > 2 * perMinute ? 'spam' : 'burst';
      return { outcome, retryAfterSeconds: this.#secondsUntil(usage.minuteEnds) };
    }
    usage.used += 1;
    return { outcome: 'admitted' };
  }

  /** Uncounts one request of the hour. */
  refund(client: string): void {
    const usage = this.#usages.get(client);
    if (usage !== undefined && usage.used > 0) usage.used -= 1;
  }

  status(client: string): RateStatus {
    const { used, hourEnds } = this.#usageOf(client);
    const limit = this.limits.perHour;
    return { limit, used, remaining: Math.max(0, limit - used), reset: Math.ceil(hourEnds / 1000) };
  }

  #usageOf(client: string): Usage {
    const now = this.now();
    if (now >= this.#nextSweep) this.#sweep(now);
    const usage = this.#usages.get(client) ?? { hourEnds: now + hour, used: 0, minuteEnds: now + minute, inMinute: 0 };
    if (now >= usage.hourEnds) Object.assign(usage, { hourEnds: now + hour, used: 0 });
    if (now >= usage.minuteEnds) Object.assign(usage, { minuteEnds: now + minute, inMinute: 0 });
    if (this.#usages.size >= mostClients && !this.#usages.has(client)) this.#evictOldest();
    this.#usages.set(client, usage);
    return usage;
  }

  /** Removes clients whose hour has ended. */
  #sweep(now: number): void {
    this.#nextSweep = now + minute;
    for (const [client, { hourEnds }] of this.#usages) if (now >= hourEnds) this.#usages.delete(client);
  }

  #evictOldest(): void {
    for (const client of this.#usages.keys()) {
      this.#usages.delete(client);
      return;
    }
  }

  #secondsUntil(moment: number): number {
    return Math.max(1, Math.ceil((moment - this.now()) / 1000));
  }
}

/** Injects the limits of authenticated users, by account id. */
export const UserLimiter = Symbol('user-limiter');

export const userLimiter = ({ requestsPerHour, requestsPerMinute }: HostedApiConfig): RateLimiter =>
  new RateLimiter({ perHour: requestsPerHour, perMinute: requestsPerMinute });

/** Injects the limits of client addresses, for requests without a valid token. */
export const AddressLimiter = Symbol('address-limiter');

export const addressLimiter = ({ anonymousRequestsPerHour: limit }: HostedApiConfig): RateLimiter =>
  new RateLimiter({ perHour: limit, perMinute: limit });
