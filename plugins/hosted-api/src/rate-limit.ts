interface RateLimits {
  /** Requests in an hour. */
  readonly perHour: number;
  /** Requests in a minute, those too that do not count in the hour. */
  readonly perMinute: number;
}

/**
 * What becomes of a request. `exhausted`: the hour's requests are used up. `burst`: too many in this minute. `spam`:
 * the client went on for as many again after it was told.
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

/** Addresses cost an attacker nothing: beyond this many, who came first is forgotten. */
const mostClients = 100_000;

const minute = 60_000;
const hour = 60 * minute;

/** Counts the requests of clients in windows that begin with a client's first request. */
export class RateLimiter {
  readonly #usages = new Map<string, Usage>();
  #nextSweep = 0;

  constructor(
    private readonly limits: RateLimits,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts one request of a client. One that is refused does not count in the hour. */
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

  /** Gives one request back to the hour: nothing was new. */
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
    if (this.#usages.size >= mostClients && !this.#usages.has(client)) this.#forgetOldest();
    this.#usages.set(client, usage);
    return usage;
  }

  /** Addresses come and go: what is over is forgotten. */
  #sweep(now: number): void {
    this.#nextSweep = now + minute;
    for (const [client, { hourEnds }] of this.#usages) if (now >= hourEnds) this.#usages.delete(client);
  }

  #forgetOldest(): void {
    for (const client of this.#usages.keys()) {
      this.#usages.delete(client);
      return;
    }
  }

  #secondsUntil(moment: number): number {
    return Math.max(1, Math.ceil((moment - this.now()) / 1000));
  }
}
