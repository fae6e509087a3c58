import type { Static, TSchema } from '@sinclair/typebox';
import type { DriverPoint, DriverSet, ServicePoint } from './driver-point.js';
import type { Lifetime } from './lifetime.js';
import type { Logger } from './logger.js';

/** Resolves what a package declared in `requires`; anything else throws `internal` naming the package. */
export interface Services {
  drivers<T>(point: DriverPoint<T>): DriverSet<T>;
  service<T>(point: ServicePoint<T>): T;
}

/** Directories of one package's own. They exist when `create` is called. */
export interface PackageDirectories {
  /** Survives a reboot: under the data root. */
  readonly root: string;
  /** Gone after a reboot: under the run directory. */
  readonly state: string;
}

/** What the kernel lends a driver. */
export interface DriverContext<C> {
  /** Already parsed by `configSchema`, defaults filled in. */
  readonly config: C;
  /** Carries `driver: 'volume/local'`. */
  readonly log: Logger;
  /** Released in reverse order after `stop`. */
  readonly lifetime: Lifetime;
  readonly dirs: PackageDirectories;
  readonly services: Services;
}

/** Leave out what is not needed. */
export interface DriverLifecycle {
  /** Reconciles what a crash left, opens sockets. Called once, after everything required has started. */
  start?(signal: AbortSignal): Promise<void>;
  /** Called once, after every package has started: the time to let clients in. */
  ready?(signal: AbortSignal): Promise<void>;
  /** Refuses new work and lets running work finish, until the signal aborts. */
  stop?(signal: AbortSignal): Promise<void>;
}

export interface DriverDefinition<T, S extends TSchema = TSchema> {
  /** `[a-z][a-z0-9-]*`, as the API names it; equals the manifest's id. */
  readonly id: string;
  readonly provides: DriverPoint<T>;
  /** Kinds and services that must be ready before. */
  readonly requires?: readonly (DriverPoint<unknown> | ServicePoint<unknown>)[];
  /** A TypeBox object schema; defaults are applied and unknown keys are errors. */
  readonly configSchema: S;
  /**
   * Probes the host and makes the driver. Acquires nothing that outlives it without a place in `lifetime`.
   * Throws `DriverSkipped` when this host cannot run it.
   */
  create(context: DriverContext<Static<S>>): Promise<T & DriverLifecycle> | (T & DriverLifecycle);
}

/** The default export of a driver package. Only declares: importing it has no effect. */
export function defineDriver<T, S extends TSchema>(definition: DriverDefinition<T, S>): DriverDefinition<T, S> {
  return definition;
}
