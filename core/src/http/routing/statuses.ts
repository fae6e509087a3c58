import { type ErrorKind, kindOf } from '../../errors/engine-error.js';
import type { Middleware } from '../exchange/context.js';
import type { StatusExceptions } from '../exchange/status-exceptions.js';

/** The one table from kind to status. A kind without a place here does not compile. */
const statusOf = {
  'invalid-argument': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'not-acceptable': 503,
  conflict: 409,
  'not-modified': 304,
  unavailable: 503,
  'not-implemented': 501,
  internal: 500,
} as const satisfies Record<ErrorKind, number>;

/** The status a thrown value is answered with. A foreign error is 500, whatever `statusCode` it carries. */
export const statusFor = (error: unknown): number => statusOf[kindOf(error)];

/**
 * Gives a route exceptions: `router.post(path, withStatuses({ conflict: 500 }), handler)`. Those that a hook gave it before
 * win: a dialect may have its own.
 */
const withStatuses =
  (exceptions: StatusExceptions): Middleware =>
  (ctx, next) => {
    ctx.state.statuses ??= exceptions;
    return next();
  };

/** The document lists neither 501 nor 503 for any route of its own. */
const unavailable = { unavailable: 500, 'not-implemented': 500 } as const;
/** An object in the wrong state. */
const state = { ...unavailable, conflict: 500 } as const;

/**
 * Middleware of routes for which the API's document lists fewer statuses than the table has; others answer 500. A request
 * that is malformed answers 400 everywhere, listed or not; the two exceptions say why. See docs/adr/0017.
 */
export const statuses = {
  /** Not 501 and 503. */
  unavailableIsServerError: withStatuses(unavailable),
  /** Not 409. */
  conflictIsServerError: withStatuses({ conflict: 500 }),
  /** Not 409, 501 and 503. */
  stateIsServerError: withStatuses(state),
  /** Not 403, 409, 501 and 503: what is left are 400, 404 and 500. */
  refusalIsServerError: withStatuses({ ...state, forbidden: 500 }),
  /** Not 404. */
  notFoundIsServerError: withStatuses({ 'not-found': 500 }),
  /** Only 404 and 500: a program that cannot be started is the container's fault, not that of the request to start it. */
  failedStartIsServerError: withStatuses({ ...state, forbidden: 500, 'invalid-argument': 500 }),
  /** Only 500: the document gives an invalid reference and an existing plugin this status. */
  onlyServerError: withStatuses({ 'invalid-argument': 500, conflict: 500, 'not-found': 500 }),
  /** 403 instead of 401. */
  unauthorizedIsForbidden: withStatuses({ unauthorized: 403 }),
} as const;
