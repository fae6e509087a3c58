/** A kind of driver: its name on manifests, the contract's version, and the token its {@link DriverSet} resolves by. */
export interface DriverPoint<T> {
  /** The kind as manifests write it, such as `volume`. */
  readonly kind: string;
  readonly version: { readonly major: number; readonly minor: number };
  /** Resolves to the `DriverSet<T>` of this kind. */
  readonly token: symbol;
  /** The methods that every driver of this kind has; the kernel checks them when a driver is created. */
  readonly methods?: readonly string[];
  /** What every driver of this kind says in its `capabilities`. */
  readonly capabilities?: readonly string[];
  /** Methods that a driver has when the capability of that name, their value here, is true. */
  readonly capabilityMethods?: Readonly<Record<string, string>>;
  /** How another version of a driver takes over while the daemon runs; undefined: only a start of the daemon replaces it. */
  readonly takeover?: Takeover;
  /** Why a driver is not replaced while the daemon runs although others of its kind are; undefined: it is. */
  refusesTakeover?(driver: T): string | undefined;
  /** Methods that answer at once, which never wait for a takeover: they change nothing. */
  readonly synchronous?: readonly string[];
  /** Carries the contract's type at compile time only; never set. */
  readonly __type?: T;
}

/** The names of a contract's methods that are not optional; `group.method` for those of a group of methods. */
export type RequiredMethod<T> = {
  [K in keyof T & string]-?: undefined extends T[K]
    ? never
    : T[K] extends (...args: never[]) => unknown
      ? K
      : T[K] extends object
        ? `${K}.${OwnMethod<T[K]>}`
        : never;
}[keyof T & string];

/** The own methods of an interface. */
export type OwnMethod<T> = {
  [K in keyof T & string]-?: undefined extends T[K] ? never : T[K] extends (...args: never[]) => unknown ? K : never;
}[keyof T & string];

/**
 * - `exclusive`: calls wait until the older version has finished those under way and has stopped, and the newer one has
 *   started, as at a restart of the daemon.
 * - `overlapping`: the newer version starts beside the older one, which finishes what is under way.
 */
export type Takeover = 'exclusive' | 'overlapping';

/** What the kernel knows of a kind beside the methods that every driver has. */
export interface DriverPointOptions<T> {
  readonly capabilities?: readonly CapabilityOf<T>[];
  readonly capabilityMethods?: { readonly [K in keyof T & string]?: CapabilityOf<T> };
  readonly takeover?: Takeover;
  readonly refusesTakeover?: (driver: T) => string | undefined;
  readonly synchronous?: readonly (keyof T & string)[];
}

/** The name of a capability that drivers of a kind have. */
export type CapabilityOf<T> = T extends { readonly capabilities: infer C } ? keyof C & string : never;

/** Declares a kind of driver. The token is global, so that two installed copies of this package agree on it. */
export function driverPoint<T>(
  kind: string,
  version: `${number}.${number}`,
  methods: readonly RequiredMethod<T>[] = [],
  options: DriverPointOptions<T> = {},
): DriverPoint<T> {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const token = Symbol.for(`gantry.driver.${kind}/${major}`);
  return { kind, version: { major, minor }, token, methods, ...(options as Partial<DriverPoint<T>>) };
}

/**
 * A service that one plugin provides and others may require: one object is name, type and token.
 * The interface lives in the providing package's `/service` export.
 */
export interface ServicePoint<T> {
  readonly name: string;
  readonly token: symbol;
  /** Makes the implementation that is used where no package provides one: once for each kernel, when first required. */
  readonly fallback?: (service: FindService) => T;
  /** What the fallback is made with. */
  readonly requires?: readonly ServicePoint<unknown>[];
  readonly __type?: T;
}

/**
 * Declares a service point. With a `fallback` it is a port: an interface with one usual implementation, such as the
 * host's mounts, that a test or an embedding program replaces.
 */
export function servicePoint<T, D extends readonly unknown[] = []>(
  name: string,
  { requires, fallback }: FallbackOptions<T, D> = {},
): ServicePoint<T> {
  const token = Symbol.for(`gantry.service.${name}`);
  if (fallback === undefined) return { name, token };
  const required: readonly ServicePoint<unknown>[] = requires ?? [];
  return { name, token, requires: required, fallback: (service) => fallback(...(required.map(service) as never as D)) };
}

/** The implementation of a service that a fallback requires. */
export type FindService = <T>(point: ServicePoint<T>) => T;

/** How a service is made where no package provides it. */
export interface FallbackOptions<T, D extends readonly unknown[]> {
  /** Other ports, which the fallback is made with. */
  readonly requires?: { readonly [K in keyof D]: ServicePoint<D[K]> };
  readonly fallback?: (...services: D) => T;
}

/** What it takes to make a driver again in a worker thread. All of it can be posted there. */
export interface DriverOrigin {
  /** URL of the module, and the name of the export that holds the definition. */
  readonly module: string;
  readonly export: string;
  /** Already parsed. */
  readonly config: unknown;
  readonly dirs: { readonly root: string; readonly state: string };
}

/** A driver that cannot be used, and why. */
export interface UnavailableDriver {
  readonly id: string;
  readonly reason: string;
}

/** The drivers of one kind that are ready for use. Managed plugins join and leave at run time. */
export interface DriverSet<T> {
  readonly kind: string;
  /** The id that `get()` without an argument takes, from configuration. */
  readonly defaultId: string | undefined;
  /** The driver that the configuration prefers, when another one is the default because it is unavailable. */
  readonly unavailableDefault: UnavailableDriver | undefined;
  /** Ids in the order the drivers became ready. */
  readonly ids: readonly string[];
  has(id: string): boolean;
  /**
   * The driver of that id, the configured default without one.
   * @throws EngineError `not-found` naming kind and id, with the reason where one is known, and the ids there are.
   */
  get(id?: string): T;
  /**
   * The same after every finder was asked for a driver that is not there (yet), which may take the time of its retries.
   * Rejects as `get` throws.
   */
  lookup(id: string): Promise<T>;
  /** Adds a finder: it resolves when the driver has joined the set, or will not. @returns removes it. */
  addFinder(find: (id: string) => Promise<void>): () => void;
  /** Why a driver that was found is not in the set, such as a host that lacks what it needs. */
  reasonWithout(id: string): string | undefined;
  /** Where a driver came from; undefined for one that no package on disk declares (embedded, managed). */
  origin(id: string): DriverOrigin | undefined;
  /** Adds a driver under an id. @throws EngineError `conflict` when the id is taken. @returns takes it out again. */
  add(id: string, driver: T, origin?: DriverOrigin): () => void;
  /**
   * Lets a driver be asked for by another name, which `has`, `get` and `idOf` know and the lists do not show. A driver
   * that has the name as its id comes first. @returns takes the name back.
   */
  alias(name: string, id: string): () => void;
  /** The id of the driver that a name leads to; the name itself when there is none. */
  idOf(name: string): string;
  entries(): Iterable<readonly [id: string, driver: T]>;
  /**
   * Calls back after a driver has joined or left the set, or another version of one took over. Every set of an engine has it;
   * optional for sets that tests make. @returns ends that.
   */
  onChange?(listener: () => void): () => void;
}
