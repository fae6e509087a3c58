import type { LiveDriverSet } from '../points/live-driver-set.js';
import type { Unit } from './unit.js';

/** What became of a unit, for `gantryd driver list` and for logs. */
export interface UnitStatus {
  /** Such as `log/json-file`; of a package that cannot be loaded, what the configuration calls it. */
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly state: 'ready' | 'skipped' | 'failed';
  readonly reason?: string;
  /** The driver that is used where none of its kind is asked for. */
  readonly isDefault?: boolean;
  /** Of a driver that is ready. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

/** Injects what became of the packages of the daemon, for packages that show it. */
export interface PackageStatuses {
  /** In the order of the configuration, with drivers that have joined since. */
  list(): readonly UnitStatus[];
}
export const PackageStatuses = Symbol.for('gantry.package-statuses');

/** Keeps what became of each unit. */
export class UnitStatuses {
  readonly #statuses = new Map<Unit, UnitStatus>();
  #unloadable: UnitStatus[] = [];

  settle(unit: Unit, state: UnitStatus['state'], reason?: string): void {
    const { name, version } = unit.package;
    const status = { name: unit.name, package: name, version, state, ...(reason !== undefined && { reason }) };
    this.#statuses.set(unit, status);
  }

  /** A unit that is not configured any more. */
  forget(unit: Unit): void {
    this.#statuses.delete(unit);
  }

  /** An optional package that holds no units, as it cannot be loaded. */
  leaveOut(name: string, reason: string): void {
    const others = this.#unloadable.filter((status) => status.name !== name);
    this.#unloadable = [...others, { name, package: name, version: '', state: 'failed', reason }];
  }

  /** Packages that cannot be loaded. */
  get unloadable(): readonly UnitStatus[] {
    return this.#unloadable;
  }

  /** Reasons of the drivers of a kind that are not ready. */
  reasonsOf(kind: string): readonly string[] {
    return [...this.#statuses.values()]
      .filter(({ name, reason }) => name.startsWith(`${kind}/`) && reason !== undefined)
      .map(({ name, reason }) => `${name}: ${reason}`);
  }

  /** Why a unit such as `log/journald` is not ready. */
  reasonOf(name: string): string | undefined {
    return [...this.#statuses.values()].find((status) => status.name === name)?.reason;
  }

  /** In the order of the units, with drivers that have joined since and packages without units behind them. */
  list(units: readonly Unit[], sets: Iterable<LiveDriverSet<unknown>>): readonly UnitStatus[] {
    const drivers = new Map([...sets].flatMap((set) => [...driversIn(set)]));
    const known = units.flatMap((unit) => this.#statuses.get(unit) ?? []);
    const listed = known.map((status) => {
      const facts = status.state === 'ready' ? drivers.get(status.name) : undefined;
      if (facts === undefined) return status;
      drivers.delete(status.name);
      return { ...status, ...facts };
    });
    const joined = { package: 'joined at run time', version: '', state: 'ready' } as const;
    const others = [...drivers].map(([name, facts]) => ({ name, ...joined, ...facts }));
    return [...listed, ...others, ...this.#unloadable];
  }
}

function* driversIn(set: LiveDriverSet<unknown>): Iterable<readonly [string, Partial<UnitStatus>]> {
  for (const [id, driver] of set.entries()) {
    const { capabilities } = driver as { readonly capabilities?: Readonly<Record<string, unknown>> };
    yield [
      `${set.kind}/${id}`,
      { ...(set.defaultId === id && { isDefault: true }), ...(capabilities !== undefined && { capabilities }) },
    ];
  }
}
