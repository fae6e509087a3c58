import type { DriverPoint, DriverSet, RequirementLookup, ServicePoint } from '@gantry/core/driver';
import { conflict, internal, notFound } from '@gantry/core/errors';

/** One thing a driver under test requires. Made by {@link withDrivers} and {@link withService}. */
export interface Provided {
  readonly token: symbol;
  readonly value: unknown;
}

/** The drivers of one kind, by id; the first is the default. */
export const withDrivers = <T>(point: DriverPoint<T>, drivers: Readonly<Record<string, T>>): Provided => ({
  token: point.token,
  value: driverSet(point, drivers),
});

/** A service of another package, usually a stub. */
export const withService = <T>(point: ServicePoint<T>, service: T): Provided => ({
  token: point.token,
  value: service,
});

/** A set as the kernel makes it, without the kernel. */
export function driverSet<T>(point: DriverPoint<T>, drivers: Readonly<Record<string, T>>): DriverSet<T> {
  const { kind } = point;
  const byId = new Map(Object.entries(drivers));
  const aliases = new Map<string, string>();
  const idOf = (name: string): string => (byId.has(name) ? name : (aliases.get(name) ?? name));
  const defaultId = byId.keys().next().value;
  const finders = new Set<(id: string) => Promise<void>>();
  return {
    kind,
    defaultId,
    unavailableDefault: undefined,
    get ids() {
      return [...byId.keys()];
    },
    has: (id) => byId.has(idOf(id)),
    get(id = defaultId) {
      const driver = id === undefined ? undefined : byId.get(idOf(id));
      if (driver === undefined) throw notFound(`no ${kind} driver "${id}" (there are: ${[...byId.keys()].join(', ')})`);
      return driver;
    },
    async lookup(id) {
      if (!byId.has(idOf(id))) await Promise.all([...finders].map((find) => find(id)));
      return this.get(id);
    },
    addFinder(find) {
      finders.add(find);
      return () => finders.delete(find);
    },
    reasonWithout: () => undefined,
    origin: () => undefined,
    add(id, driver) {
      if (byId.has(id)) throw conflict(`${kind} driver "${id}" is there already`);
      byId.set(id, driver);
      return () => byId.delete(id);
    },
    alias(name, id) {
      aliases.set(name, id);
      return () => aliases.delete(name);
    },
    idOf,
    entries: () => byId.entries(),
  };
}

/** Resolves what was provided, the fallback of a service that was not, and nothing else. */
export function stubServices(provided: readonly Provided[]): Required<RequirementLookup> {
  const values = new Map(provided.map(({ token, value }) => [token, value]));
  const resolve = (token: symbol, description: string, fallback?: () => unknown): unknown => {
    if (!values.has(token)) {
      if (fallback === undefined) throw internal(`the test provides no ${description}: pass it in "services"`);
      values.set(token, fallback());
    }
    return values.get(token);
  };
  const service = <T>(point: ServicePoint<T>): T => {
    const fallback = point.fallback && (() => point.fallback?.(service));
    return resolve(point.token, `service ${point.name}`, fallback) as T;
  };
  return {
    drivers: <T>(point: DriverPoint<T>) => resolve(point.token, `${point.kind} drivers`) as DriverSet<T>,
    service,
  };
}
