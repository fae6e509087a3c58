import { EngineError } from '../../errors/engine-error.js';
import type { KernelConfig } from '../configuration/kernel-config.js';
import type { Services } from '../definitions/driver.js';
import type { PluginContext } from '../definitions/plugin.js';
import { EngineEvents, type EventBus } from '../events/event-bus.js';
import type { OwnedContainer } from '../injection/package-container.js';
import type { Lifetime } from '../lifetime/lifetime.js';
import type { Logger } from '../logging/logger.js';
import type { DriverOrigin, DriverPoint, ServicePoint } from '../points/driver-point.js';
import { makeDirectories } from './make-directories.js';
import { openContainer } from './open-container.js';
import type { Points } from './points.js';
import { sectionOf } from './sections.js';
import { nameOfPoint, type Unit } from './unit.js';

export interface ContextParts {
  readonly config: () => KernelConfig;
  readonly points: Points;
  readonly events: EventBus;
  readonly log: Logger;
}

/** What a unit is given of the kernel, and the container it is constructed from. */
interface UnitContext {
  readonly context: PluginContext<never>;
  readonly container: OwnedContainer;
}

/** Gives a unit its section, and of the other units only what it has declared. */
export async function unitContext(
  unit: Unit,
  lifetime: Lifetime,
  stopSignal: AbortSignal,
  { config, points, events, log }: ContextParts,
): Promise<UnitContext> {
  const required = new Set([...unit.requires, ...unit.joins].map((point) => point.token));
  const demand = (point: DriverPoint<unknown> | ServicePoint<unknown>): void => {
    if (required.has(point.token)) return;
    throw new EngineError('internal', `${unit.name} asks for ${nameOfPoint(point)} without requiring it`);
  };
  const services: Services = {
    drivers: <T>(point: DriverPoint<T>) => {
      demand(point);
      return points.setOf(point);
    },
    service: <T>(point: ServicePoint<T>) => {
      demand(point);
      return points.service(point);
    },
  };
  const checkProvided = (point: ServicePoint<unknown>): void => {
    if (unit.provides.some((offered) => offered.token === point.token)) return;
    throw new EngineError('internal', `${unit.name} offers ${nameOfPoint(point)} without declaring it`);
  };
  const own = {
    config: sectionOf(unit, config()) as never,
    log: log.child(unit.kind === undefined ? { plugin: unit.name } : { driver: unit.name }),
    lifetime,
    dirs: await makeDirectories(unit, config()),
  };
  const container = openContainer(points.root, { ...own, stopSignal }, [...unit.requires, ...unit.joins], services);
  container.onProvide = checkProvided;
  container.registerValue(EngineEvents, events);
  for (const point of unit.after) {
    container.registerFactory(point.token, [], () => (points.has(point) ? points.service(point) : undefined));
  }
  const context: PluginContext<never> = {
    ...own,
    events,
    services,
    container,
    provide: <T>(point: ServicePoint<T>, service: T) => {
      checkProvided(point);
      points.provide(point, service);
    },
    optional: <T>(point: ServicePoint<T>) => {
      if (!unit.after.some((named) => named.token === point.token)) {
        throw new EngineError('internal', `${unit.name} asks for ${nameOfPoint(point)} without naming it in "after"`);
      }
      return points.has(point) ? points.service(point) : undefined;
    },
  };
  return { context, container };
}

/** What it takes to make a unit's driver again; undefined of one that a program brought along. */
export async function originOf(unit: Unit, config: KernelConfig): Promise<DriverOrigin | undefined> {
  if (unit.source === undefined) return undefined;
  return { ...unit.source, config: sectionOf(unit, config), dirs: await makeDirectories(unit, config) };
}
