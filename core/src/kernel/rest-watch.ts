/** Processor time a process at rest may use, as a share of one processor. */
const restingShare = 0.04;

/** Processor time after which it is worth giving back what it left, in milliseconds. */
const worthwhile = 300;

export interface RestWatchOptions {
  /** How often it looks, in milliseconds; 2,500 by default. A process rests when it has done so from one look to the next. */
  readonly every?: number;
  /** Processor time the process has used, in milliseconds. */
  readonly used?: () => number;
  /** The time, in milliseconds. */
  readonly now?: () => number;
}

/** Tells when a process has come to rest after work: once for each time, and not for a little work. */
export class RestWatch {
  readonly #used: () => number;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #seen: { readonly used: number; readonly at: number };
  #handled = 0;
  #handling = false;

  /** `onRest` never rejects; what it uses itself is no work. */
  constructor(
    private readonly onRest: () => Promise<void>,
    { every = 2500, used = processorTime, now = () => performance.now() }: RestWatchOptions = {},
  ) {
    this.#used = used;
    this.#now = now;
    this.#seen = { used: used(), at: now() };
    this.#timer = setInterval(() => this.look(), every);
    this.#timer.unref();
  }

  /** Compares with the last look. Called by the clock. */
  look(): void {
    const before = this.#seen;
    this.#seen = { used: this.#used(), at: this.#now() };
    if (this.#handling || this.#seen.used - before.used > restingShare * (this.#seen.at - before.at)) return;
    if (this.#seen.used - this.#handled < worthwhile) return;
    this.#handling = true;
    void this.onRest().then(() => {
      this.#handled = this.#used();
      this.#handling = false;
    });
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
