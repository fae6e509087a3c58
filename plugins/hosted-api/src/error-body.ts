import type { Failure } from '@gantry/core/http';
import { HostedError } from './hosted-error.js';

/** The status of an error that only this API has. */
export const errorStatus = (error: unknown): number | undefined =>
  error instanceof HostedError ? error.status : undefined;

/** How this API words an error. What nobody foresaw is not told to clients. */
export function errorBody({ status, message, error }: Failure): object {
  const errors = error instanceof HostedError ? error.errors : [];
  return {
    message: wordsOf(status, message),
    ...(errors.length > 0 && { errors }),
    status: String(status),
  };
}

function wordsOf(status: number, message: string): string {
  if (status === 404) return 'Not Found';
  return status === 500 ? 'Server Error' : message;
}
