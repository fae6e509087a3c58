import type { StatusExceptions } from './status-exceptions.js';

/**
 * What differs for a client of an older version, for the places inside a handler that a hook around it does not reach.
 * Steps are pure: they return a changed copy.
 */
export interface Adaptation {
  /** From a decoded JSON body of the older version to one of the newest. @throws EngineError for what did not exist. */
  readonly body: ((body: unknown) => unknown) | undefined;
  /** From an object of a stream of the newest version to one of the older. */
  readonly item: ((item: unknown) => unknown) | undefined;
  /** Features that the older version lacks. */
  readonly lacks: ReadonlySet<string>;
  /** Statuses that errors had in the older version. */
  readonly statuses: StatusExceptions;
}
