import { systemTimer, type Timer } from './timer.js';

export interface AcquireOptions {
  /** Gives up the wait: `acquire` rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Releases the permit after so many milliseconds, so that a holder that hangs cannot block the others for ever. */
  readonly maxHoldMilliseconds?: number;
  readonly timer?: Timer;
}

/** A counting semaphore that grants its permits in the order of the calls. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #available: number;

  constructor(permits: number) {
    this.#available = permits;
  }

  /** Whether the next call of `acquire` has to wait. */
  get isExhausted(): boolean {
    return this.#available === 0;
  }

  /** Resolves to the release of the permit, which is idempotent. */
  async acquire(options: AcquireOptions = {}): Promise<() => void> {
    const { signal, maxHoldMilliseconds, timer = systemTimer } = options;
    signal?.throwIfAborted();
    if (this.#available > 0) this.#available--;
    // Otherwise a release passes its permit on without counting it as available.
    else await this.#wait(signal);
    let isHeld = true;
    let cancelTimer: (() => void) | undefined;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      cancelTimer?.();
      const next = this.#waiting.shift();
      if (next === undefined) this.#available++;
      else next();
    };
    if (maxHoldMilliseconds !== undefined) cancelTimer = timer.after(maxHoldMilliseconds, release);
    return release;
  }

  /** Runs the work with a permit and settles as it does. The work must not acquire from the same semaphore. */
  async run<T>(work: () => Promise<T>, options: AcquireOptions = {}): Promise<T> {
    const release = await this.acquire(options);
    try {
      return await work();
    } finally {
      release();
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const grant = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(grant), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(grant);
    });
  }
}
