import { type Collection, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { Clock, type DriverSet, inject, injectable } from '@gantry/core/driver';
import type { LeakHistory } from './engine-facts.js';

const key = 'history';

/** Remembers when orphans were found, over restarts of the daemon. */
@injectable()
export class LeakRecord {
  readonly #histories: Collection<LeakHistory>;

  constructor(
    @inject(StateDrivers.token) states: DriverSet<StateDriver>,
    @inject(Clock.token) private readonly clock: Clock,
  ) {
    const parse = (value: unknown) => value as LeakHistory;
    this.#histories = states.get().collection({ name: 'doctor-leaks', version: 1, parse });
  }

  /** Takes in that a look has found orphans, or none. */
  async update(isLeaking: boolean): Promise<LeakHistory> {
    const now = Number(this.clock.now() / 1_000_000n);
    const known = this.#histories.get(key) ?? { since: now };
    const next = isLeaking ? { ...known, last: now } : known;
    if (next !== this.#histories.get(key)) await this.#histories.put(key, next);
    return next;
  }
}
