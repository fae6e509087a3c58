import { type ErrorKind, kindOf } from '../errors/engine-error.js';

/** The one table from kind to status. A kind without a place here does not compile. */
const statusOf = {
  'invalid-argument': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'not-acceptable': 406,
  conflict: 409,
  'not-modified': 304,
  unavailable: 503,
  'not-implemented': 501,
  internal: 500,
} as const satisfies Record<ErrorKind, number>;

/** Statuses of one route where the API's document differs from the table; declared beside the route. */
export type StatusExceptions = Partial<Record<ErrorKind, number>>;

/** The status a thrown value is answered with. A foreign error is 500, whatever `statusCode` it carries. */
export function statusFor(error: unknown, exceptions?: StatusExceptions): number {
  const kind = kindOf(error);
  return exceptions?.[kind] ?? statusOf[kind];
}
