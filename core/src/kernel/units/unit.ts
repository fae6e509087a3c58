import type { TSchema } from '@sinclair/typebox';
import type { Created, DriverDefinition } from '../definitions/driver.js';
import type { PluginContext, PluginDefinition } from '../definitions/plugin.js';
import type { DriverLifecycle, OfflineCommand } from '../hooks/driver-lifecycle.js';
import type { DriverOrigin, DriverPoint, ServicePoint } from '../points/driver-point.js';
import type { CallObserver } from '../points/observed-driver.js';

/** The package a unit was loaded from. */
interface UnitPackage {
  readonly name: string;
  readonly version: string;
  /** Undefined for a definition that a program passed in memory. */
  readonly directory: string | undefined;
}

/** One thing the kernel starts and stops: a driver or a plugin, seen alike. */
export interface Unit {
  /** `volume/local` for a driver, `containers` for a plugin: its section in the configuration, its name in messages. */
  readonly name: string;
  readonly id: string;
  /** The kind a driver adds itself to. */
  readonly kind: DriverPoint<unknown> | undefined;
  readonly provides: readonly ServicePoint<unknown>[];
  readonly requires: readonly (DriverPoint<unknown> | ServicePoint<unknown>)[];
  /** Services it starts after, where they are provided. */
  readonly after: readonly ServicePoint<unknown>[];
  /** Kinds it adds drivers to while it runs. */
  readonly joins: readonly DriverPoint<unknown>[];
  readonly configSchema: TSchema;
  readonly offlineCommands: Readonly<Record<string, OfflineCommand>>;
  /** Makes what sees the calls of drivers; of the first unit that has one. */
  readonly observer: ((config: never) => CallObserver) | undefined;
  /** Its failure does not keep the daemon from starting. */
  readonly optional: boolean;
  readonly package: UnitPackage;
  /** Where a driver's definition is exported; undefined when it was handed over in memory. */
  readonly source: Pick<DriverOrigin, 'module' | 'export'> | undefined;
  create(context: PluginContext<never>): Promise<Created<DriverLifecycle> | undefined>;
}

const embedded: UnitPackage = { name: 'embedded', version: '0.0.0', directory: undefined };

/**
 * A driver as the kernel starts it, known as `kind/id`. @param optional the daemon starts without it, too.
 * @param source where worker threads find the definition again.
 */
export function driverUnit(
  definition: DriverDefinition<object>,
  origin: UnitPackage = embedded,
  optional = false,
  source?: Unit['source'],
): Unit {
  return {
    name: `${definition.provides.kind}/${definition.id}`,
    id: definition.id,
    kind: definition.provides,
    provides: [],
    requires: definition.requires ?? [],
    after: [],
    joins: [],
    configSchema: definition.configSchema,
    offlineCommands: {},
    observer: undefined,
    optional,
    package: origin,
    source,
    create: async (context) => definition.create(context),
  };
}

/** A plugin as the kernel starts it. @param origin the package it came from; without one it was handed over in code. */
export function pluginUnit(definition: PluginDefinition, origin: UnitPackage = embedded, optional = false): Unit {
  return {
    name: definition.id,
    id: definition.id,
    kind: undefined,
    provides: definition.provides ?? [],
    requires: definition.requires ?? [],
    after: definition.after ?? [],
    joins: definition.joins ?? [],
    configSchema: definition.configSchema,
    offlineCommands: definition.offlineCommands ?? {},
    observer: definition.observer,
    optional,
    package: origin,
    source: undefined,
    create: async (context) => (await definition.setup(context)) ?? undefined,
  };
}

export const isServicePoint = (point: DriverPoint<unknown> | ServicePoint<unknown>): point is ServicePoint<unknown> =>
  !('kind' in point);

export const nameOfPoint = (point: DriverPoint<unknown> | ServicePoint<unknown>): string =>
  isServicePoint(point) ? `service ${point.name}` : `${point.kind}/${point.version.major}`;
