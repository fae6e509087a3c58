/** Processor time an idle process may use, as a share of one processor. */
const idleShare = 0.04;

/** Processor time used since the last idle callback that makes another worthwhile, in milliseconds. */
const minimumWork = 300;

/** And how many times what the callbacks used: clients of a daemon with little to do are not to wait for them often. */
const workForCost = 10;

/**
 * How long after an idle callback the second one follows, in milliseconds: V8 shrinks its young generation only in a
 * collection before which little was allocated for five seconds.
 */
const secondCallDelay = 5000;

interface IdleWatcherOptions {
  /** The sampling interval in milliseconds; 2,500 by default. A process is idle when it was for a whole interval. */
  readonly interval?: number;
  /** Processor time the process has used, in milliseconds. */
  readonly used?: () => number;
  /** The time, in milliseconds. */
  readonly now?: () => number;
}

/** Calls back when the process becomes idle after work, and again some seconds later; not after little work. */
export class IdleWatcher {
  readonly #used: () => number;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #last: { readonly used: number; readonly at: number };
  #usedAtCallback = 0;
  /** Processor time that the callbacks of the last idle period used. */
  #cost = 0;
  #secondCallAt: number | undefined;
  #isCalling = false;

  /** `onIdle` never rejects; the processor time it uses does not count as work. */
  constructor(
    private readonly onIdle: () => Promise<void>,
    { interval = 2500, used = processorTime, now = () => performance.now() }: IdleWatcherOptions = {},
  ) {
    this.#used = used;
    this.#now = now;
    this.#last = { used: used(), at: now() };
    this.#timer = setInterval(() => this.sample(), interval);
    this.#timer.unref();
  }

  /** Compares with the last sample. Called by the timer. */
  sample(): void {
    const before = this.#last;
    this.#last = { used: this.#used(), at: this.#now() };
    if (this.#isCalling || this.#last.used - before.used > idleShare * (this.#last.at - before.at)) return;
    const isFirst = this.#last.used - this.#usedAtCallback >= Math.max(minimumWork, workForCost * this.#cost);
    if (!isFirst && (this.#secondCallAt === undefined || this.#last.at < this.#secondCallAt)) return;
    this.#isCalling = true;
    const usedBefore = this.#used();
    void this.onIdle().then(() => {
      this.#usedAtCallback = this.#used();
      this.#cost = (isFirst ? 0 : this.#cost) + this.#usedAtCallback - usedBefore;
      this.#secondCallAt = isFirst ? this.#now() + secondCallDelay : undefined;
      this.#isCalling = false;
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
