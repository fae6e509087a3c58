/**
 * The closed list of what can go wrong, in the terms of the caller. Drivers and services choose a kind and never
 * a status; the one table from kind to HTTP status is `http/routing/statuses.ts`, and a new kind does not compile without a
 * place in it.
 *
 * - `invalid-argument`: the caller asked for something that cannot be meant.
 * - `unauthorized`: the caller's credentials are missing or wrong.
 * - `forbidden`: the caller is known, and the operation is not allowed on this object.
 * - `not-found`: the named object does not exist.
 * - `not-acceptable`: the object is in a role that does not take this operation.
 * - `conflict`: the object's present state does not allow it; it may be allowed later.
 * - `not-modified`: nothing had to be done. Thrown because it ends the request early, not because it is a failure.
 * - `unavailable`: a needed part (disk, plugin, manager, peer) cannot answer now.
 * - `not-implemented`: this engine or this driver does not have the capability.
 * - `internal`: everything the caller cannot influence.
 */
export type ErrorKind =
  | 'invalid-argument'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'not-acceptable'
  | 'conflict'
  | 'not-modified'
  | 'unavailable'
  | 'not-implemented'
  | 'internal';

const brand = Symbol.for('gantry.engine-error');
const skippedBrand = Symbol.for('gantry.driver-skipped');

/** An error that may cross a package boundary. `message` is what a client prints, word for word. */
export class EngineError extends Error {
  override readonly name: string = 'EngineError';
  readonly [brand] = true;

  constructor(
    readonly kind: ErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** True for an EngineError of any installed copy of this package, which `instanceof` would miss. */
  static is(error: unknown): error is EngineError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}

/**
 * Thrown by a driver's `create` when this host cannot run it (no kernel module, no file system support). The kernel
 * shows the reason and goes on without the driver; only a driver the configuration requires makes it fatal.
 */
export class DriverSkipped extends Error {
  override readonly name = 'DriverSkipped';
  readonly [skippedBrand] = true;

  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }

  static is(error: unknown): error is DriverSkipped {
    return typeof error === 'object' && error !== null && skippedBrand in error;
  }
}

type Factory = (message: string, options?: ErrorOptions) => EngineError;

const factory =
  (kind: ErrorKind): Factory =>
  (message, options) =>
    new EngineError(kind, message, options);

export const invalidArgument = factory('invalid-argument');
export const unauthorized = factory('unauthorized');
export const forbidden = factory('forbidden');
export const notFound = factory('not-found');
export const notAcceptable = factory('not-acceptable');
export const conflict = factory('conflict');
export const notModified = factory('not-modified');
export const unavailable = factory('unavailable');
export const notImplemented = factory('not-implemented');
export const internal = factory('internal');

/** The kind of any thrown value: a foreign error, whatever fields it carries, is `internal`. */
export const kindOf = (error: unknown): ErrorKind => (EngineError.is(error) ? error.kind : 'internal');

/** The words of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
