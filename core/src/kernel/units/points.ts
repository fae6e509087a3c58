import { EngineError } from '../../errors/engine-error.js';
import type { KernelConfig } from '../configuration/kernel-config.js';
import { rootContainer } from '../injection/package-container.js';
import type { DriverPoint, ServicePoint } from '../points/driver-point.js';
import { LiveDriverSet } from '../points/live-driver-set.js';
import { type CallObserver, observedDriver } from '../points/observed-driver.js';
import type { PointLookup } from './open-container.js';
import { nameOfPoint, type Unit } from './unit.js';
import type { UnitStatuses } from './unit-statuses.js';

/** What the units of one kernel give to each other: drivers of each kind, and services. */
export class Points implements PointLookup {
  /** The root of every package's container. It holds what all may inject; a package's own is in its child. */
  readonly root = rootContainer();
  readonly #services = new Map<symbol, unknown>();
  readonly #sets = new Map<symbol, LiveDriverSet<unknown>>();
  readonly #listeners = new Set<() => void>();
  /** Sees the calls of all drivers that are added from now on. */
  observer: CallObserver | undefined;

  constructor(
    private readonly config: () => KernelConfig,
    private readonly statuses: UnitStatuses,
  ) {}

  /** Calls a listener whenever a driver joins or leaves. @returns ends that. */
  onDrivers(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get sets(): Iterable<LiveDriverSet<unknown>> {
    return this.#sets.values();
  }

  drivers<T>(point: DriverPoint<T>): LiveDriverSet<T> {
    let set = this.#sets.get(point.token);
    if (set === undefined) {
      const preferred = this.config().defaults[point.kind] ?? [];
      const changed = () => {
        for (const listener of this.#listeners) listener();
      };
      const ids = typeof preferred === 'string' ? [preferred] : preferred;
      const wrapped = (driver: unknown, id: string): unknown =>
        this.observer === undefined ? driver : observedDriver(driver, point.kind, id, this.observer);
      set = new LiveDriverSet<unknown>(point.kind, ids, changed, (name) => this.statuses.reasonOf(name), wrapped);
      this.#sets.set(point.token, set);
    }
    return set as LiveDriverSet<T>;
  }

  provide<T>(point: ServicePoint<T>, service: T): void {
    this.#services.set(point.token, service);
  }

  /** A package no longer provides its services. */
  withdraw(points: readonly ServicePoint<unknown>[]): void {
    for (const { token } of points) this.#services.delete(token);
  }

  /** Whether a package provides the service, or it has a fallback and all that is made with. */
  has(point: ServicePoint<unknown>): boolean {
    if (this.#services.has(point.token)) return true;
    return point.fallback !== undefined && (point.requires ?? []).every((part) => this.has(part));
  }

  /** @throws EngineError `not-found`. */
  service<T>(point: ServicePoint<T>): T {
    if (!this.has(point)) throw new EngineError('not-found', `no package provides service ${point.name}`);
    if (!this.#services.has(point.token))
      this.#services.set(
        point.token,
        point.fallback?.((each) => this.service(each)),
      );
    return this.#services.get(point.token) as T;
  }

  /** A kind of which every driver was skipped or failed: say why here, where the need is. */
  refuseEmpty(unit: Unit): void {
    for (const point of unit.requires) {
      if (!('kind' in point)) {
        if (!this.has(point)) throw new EngineError('unavailable', `${nameOfPoint(point)} did not start`);
        continue;
      }
      const set = this.drivers(point);
      if (set.defaultId !== undefined) continue;
      const reasons = this.statuses.reasonsOf(point.kind);
      const why = reasons.length > 0 ? reasons.join('; ') : `there are: ${set.ids.join(', ') || 'none'}`;
      throw new EngineError('unavailable', `no ${point.kind} driver that "defaults" allows is ready (${why})`);
    }
  }
}
