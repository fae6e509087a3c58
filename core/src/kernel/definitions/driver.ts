import type { Static, TSchema } from '@sinclair/typebox';
import type { DriverLifecycle } from '../hooks/driver-lifecycle.js';
import type { PackageContainer } from '../injection/package-container.js';
import type { Class } from '../injection/tokens.js';
import type { Lifetime } from '../lifetime/lifetime.js';
import type { Logger } from '../logging/logger.js';
import type { DriverPoint, ServicePoint } from '../points/driver-point.js';

/** Directories of one package's own. They exist when `create` is called. */
export interface PackageDirectories {
  /** Survives a reboot: under the data root. */
  readonly root: string;
  /** Gone after a reboot: under the run directory. */
  readonly state: string;
}

/** Injects the package's own directories. */
export const PackageDirectories = Symbol.for('gantry.package-directories');

/** What the kernel lends a driver. */
export interface DriverContext<C> {
  /** Already parsed by `configSchema`, defaults filled in. */
  readonly config: C;
  /** Carries `driver: 'volume/local'`. */
  readonly log: Logger;
  /** Released in reverse order after `stop`. */
  readonly lifetime: Lifetime;
  readonly dirs: PackageDirectories;
  /** Takes the classes and factories of the package, for the kernel to construct and inject. */
  readonly container: PackageContainer;
}

/** An instance, or a class for the kernel to construct with its dependencies injected. */
export type Created<T> = T | Class<T>;

export interface DriverDefinition<T, S extends TSchema = TSchema> {
  /** `[a-z][a-z0-9-]*`, as the API names it; equals the manifest's id. */
  readonly id: string;
  readonly provides: DriverPoint<T>;
  /** Kinds and services that must be ready before. */
  readonly requires?: readonly (DriverPoint<unknown> | ServicePoint<unknown>)[];
  /** A TypeBox object schema; defaults are applied and unknown keys are errors. */
  readonly configSchema: S;
  /**
   * Probes the host and makes the driver: returns it, or its class for the kernel to construct with its dependencies
   * injected. Acquires nothing that outlives it without a place in `lifetime`. Throws `DriverSkipped` when this host
   * cannot run the driver.
   */
  create(
    context: DriverContext<Static<S>>,
  ): Promise<Created<T & DriverLifecycle<Static<S>>>> | Created<T & DriverLifecycle<Static<S>>>;
}

/** The default export of a driver package. Only declares: importing it has no effect. */
export function defineDriver<T, S extends TSchema>(definition: DriverDefinition<T, S>): DriverDefinition<T, S> {
  return definition;
}
