import type { Static, TSchema } from '@sinclair/typebox';
import { type IdMappings, identityMappings } from '../../contracts/id-mappings.js';
import { internal } from '../../errors/engine-error.js';
import type { DriverContext, DriverDefinition } from '../definitions/driver.js';
import type { DriverLifecycle } from '../hooks/driver-lifecycle.js';
import { rootContainer } from '../injection/package-container.js';
import type { DriverPoint, DriverSet, ServicePoint } from '../points/driver-point.js';
import { checkMethods } from './check-methods.js';
import { openContainer, type PointLookup } from './open-container.js';

/** Where a driver's requirements come from where no kernel runs. */
export interface RequirementLookup {
  drivers?<T>(point: DriverPoint<T>): DriverSet<T>;
  /** Undefined selects the implementation that the service point itself has, if any. */
  service?<T>(point: ServicePoint<T>): T | undefined;
}

/** What a driver is given where no kernel runs: in a worker thread, in a test. */
export type DriverEnvironment<C> = Omit<DriverContext<C>, 'container'> & {
  readonly services?: RequirementLookup;
  readonly stopSignal?: AbortSignal;
  /** None by default. */
  readonly idMappings?: IdMappings;
};

/** A driver, and the hooks of it and of what its package registers: `start` has not been called. */
export interface CreatedDriver<T, C = unknown> {
  readonly driver: T & DriverLifecycle<C>;
  readonly hooks: DriverLifecycle;
}

/** Creates a driver as the kernel does, without starting it: injects what its definition requires from `services`. */
export async function createDriver<T, S extends TSchema>(
  definition: DriverDefinition<T, S>,
  environment: DriverEnvironment<Static<S>>,
): Promise<CreatedDriver<T, Static<S>>> {
  const {
    stopSignal = new AbortController().signal,
    services = {},
    idMappings = identityMappings,
    ...context
  } = environment;
  const lookup = lookupFrom(definition.id, services);
  const container = openContainer(
    rootContainer(),
    { ...context, stopSignal, idMappings },
    definition.requires ?? [],
    lookup,
  );
  const created = await definition.create({ ...context, container });
  await container.prepare();
  const { instance: driver, hooks } = container.construct(created);
  checkMethods(`${definition.provides.kind}/${definition.id}`, definition.provides, driver);
  return { driver, hooks };
}

function lookupFrom(id: string, services: RequirementLookup): PointLookup {
  const service = <T>(point: ServicePoint<T>): T => {
    const found = services.service?.(point) ?? point.fallback?.(service);
    if (found === undefined) throw internal(`${id} requires service ${point.name}, which is not provided here`);
    return found;
  };
  return {
    service,
    drivers: (point) => {
      if (services.drivers === undefined)
        throw internal(`${id} requires ${point.kind} drivers, which are not provided here`);
      return services.drivers(point);
    },
  };
}
