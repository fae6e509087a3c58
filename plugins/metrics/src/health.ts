import { type Collection, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, PackageStatuses, withDeadline } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';

/** Milliseconds in which the disk has to take a record. */
const deadline = 5_000;

interface HealthReport {
  readonly status: 'ready' | 'unavailable';
  /** What keeps the engine from serving requests. */
  readonly failures: readonly string[];
  /** Optional packages that it runs without. */
  readonly warnings: readonly string[];
}

/** Whether the engine can do its work: it can store what clients change. */
@injectable()
export class Health {
  readonly #probes: Collection<{ readonly at: number }>;
  #running: Promise<HealthReport> | undefined;

  constructor(
    @inject(StateDrivers.token) states: DriverSet<StateDriver>,
    @inject(PackageStatuses) private readonly packages: PackageStatuses,
  ) {
    const parse = (value: unknown) => value as { readonly at: number };
    this.#probes = states.get().collection({ name: 'health-probes', version: 1, parse });
  }

  /** Checks once for all that ask meanwhile. */
  check(): Promise<HealthReport> {
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #check(): Promise<HealthReport> {
    const failures: string[] = [];
    try {
      const step = { milliseconds: deadline, error: `took no record within ${deadline / 1000} s` };
      await withDeadline(step, () => this.#probes.put('probe', { at: Date.now() }));
    } catch (error) {
      failures.push(`the state store: ${messageOf(error)}`);
    }
    const failed = this.packages.list().filter(({ state }) => state === 'failed');
    return {
      status: failures.length === 0 ? 'ready' : 'unavailable',
      failures,
      warnings: failed.map(({ name, reason = 'failed' }) => `${name}: ${reason}`),
    };
  }
}
