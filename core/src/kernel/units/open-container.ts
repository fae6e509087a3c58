import type { DependencyContainer } from 'tsyringe';
import { IdMappings } from '../../contracts/id-mappings.js';
import { type DriverContext, PackageDirectories } from '../definitions/driver.js';
import { OwnedContainer } from '../injection/package-container.js';
import { Config, StopSignal } from '../injection/tokens.js';
import { Lifetime } from '../lifetime/lifetime.js';
import { Logger } from '../logging/logger.js';
import type { DriverPoint, DriverSet, ServicePoint } from '../points/driver-point.js';
import { isServicePoint } from './unit.js';

/** What every package can inject of its own. */
interface PackageFacts extends Pick<DriverContext<unknown>, 'config' | 'log' | 'lifetime' | 'dirs'> {
  readonly stopSignal: AbortSignal;
  readonly idMappings: IdMappings;
}

/** Finds the drivers and services of other packages. */
export interface PointLookup {
  drivers<T>(point: DriverPoint<T>): DriverSet<T>;
  /** @throws EngineError when there is none. */
  service<T>(point: ServicePoint<T>): T;
}

/** A package's container below `root`: its own facts, and the points it declared, looked up when first injected. */
export function openContainer(
  root: DependencyContainer,
  { config, log, lifetime, dirs, stopSignal, idMappings }: PackageFacts,
  points: readonly (DriverPoint<unknown> | ServicePoint<unknown>)[],
  lookup: PointLookup,
): OwnedContainer {
  const container = new OwnedContainer(root);
  container.registerValue(Config, config);
  container.registerValue(Logger, log);
  container.registerValue(Lifetime, lifetime);
  container.registerValue(PackageDirectories, dirs);
  container.registerValue(StopSignal, stopSignal);
  container.registerValue(IdMappings, idMappings);
  for (const point of points) {
    container.registerFactory(point.token, [], () =>
      isServicePoint(point) ? lookup.service(point) : lookup.drivers(point),
    );
  }
  return container;
}
