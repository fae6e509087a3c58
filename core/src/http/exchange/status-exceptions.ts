import type { ErrorKind } from '../../errors/engine-error.js';

/** Statuses of one route where the API's document differs from the table. */
export type StatusExceptions = Partial<Record<ErrorKind, number>>;
