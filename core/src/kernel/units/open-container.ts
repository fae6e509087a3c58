import type { DependencyContainer } from 'tsyringe';
import { type DriverContext, PackageDirectories, type Services } from '../definitions/driver.js';
import { OwnedContainer } from '../injection/package-container.js';
import { Config, StopSignal } from '../injection/tokens.js';
import { Lifetime } from '../lifetime/lifetime.js';
import { Logger } from '../logging/logger.js';
import type { DriverPoint, ServicePoint } from '../points/driver-point.js';
import { isServicePoint } from './unit.js';

/** What every package can inject of its own. */
interface PackageFacts extends Pick<DriverContext<unknown>, 'config' | 'log' | 'lifetime' | 'dirs'> {
  readonly stopSignal: AbortSignal;
}

/** A package's container below `root`: its own facts, and the points it declared, resolved when first injected. */
export function openContainer(
  root: DependencyContainer,
  { config, log, lifetime, dirs, stopSignal }: PackageFacts,
  points: readonly (DriverPoint<unknown> | ServicePoint<unknown>)[],
  services: Services,
): OwnedContainer {
  const container = new OwnedContainer(root);
  container.registerValue(Config, config);
  container.registerValue(Logger, log);
  container.registerValue(Lifetime, lifetime);
  container.registerValue(PackageDirectories, dirs);
  container.registerValue(StopSignal, stopSignal);
  for (const point of points) {
    container.registerFactory(point.token, [], () =>
      isServicePoint(point) ? services.service(point) : services.drivers(point),
    );
  }
  return container;
}
