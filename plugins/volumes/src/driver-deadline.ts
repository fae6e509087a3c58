import { withDeadline } from '@gantry/core/driver';

/** A driver that timed out is asked again after this time, in milliseconds, even if the earlier call is still pending. */
const retryAfter = 15_000;

/** A driver did not answer in time. */
export class DriverTimeout extends Error {}

/**
 * Bounds how long a driver is waited for, so that a list never waits for a driver that hangs. A driver whose earlier
 * call is still pending is not waited for at all.
 */
export class DriverDeadline {
  /** When the call that a driver has not answered yet timed out. */
  readonly #pendingSince = new Map<string, number>();

  /**
   * @param milliseconds to wait for one answer.
   * @param pendingMilliseconds after which a call without a deadline is reported as pending.
   */
  constructor(
    private readonly milliseconds = 3000,
    private readonly pendingMilliseconds = 30_000,
  ) {}

  /** Waits as long as the call takes, such as a mount of a store that is slow; `report` is called once when it is long. */
  async watch<T>(call: () => Promise<T>, report: (seconds: number) => void): Promise<T> {
    const timer = setTimeout(() => report(this.pendingMilliseconds / 1000), this.pendingMilliseconds);
    try {
      return await call();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Rejects {@link DriverTimeout} when the driver does not answer in time, and with what the call rejects with. */
  async call<T>(driver: string, call: () => Promise<T>): Promise<T> {
    const since = this.#pendingSince.get(driver);
    if (since !== undefined && performance.now() - since < retryAfter) throw this.#timeout();
    const answer = call();
    const error = (): Error => {
      this.#pendingSince.set(driver, performance.now());
      const settled = (): unknown => this.#pendingSince.delete(driver);
      answer.then(settled, settled);
      return this.#timeout();
    };
    return withDeadline({ milliseconds: this.milliseconds, error }, () => answer);
  }

  #timeout(): DriverTimeout {
    return new DriverTimeout(`no answer within ${this.milliseconds / 1000} s`);
  }
}
