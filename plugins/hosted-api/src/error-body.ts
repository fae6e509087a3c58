import type { Failure } from '@gantry/core/http';
import { HostedError } from './hosted-error.js';

/** The status of errors that only this API has. */
export const errorStatus = (error: unknown): number | undefined =>
  error instanceof HostedError ? error.status : undefined;

interface HostedErrorBody {
  readonly message: string;
  readonly errors?: HostedError['errors'];
  /** The status code. */
  readonly status: string;
}

/** Formats an error of this API. Clients never see the message of an unexpected error. */
export function errorBody({ status, message, error }: Failure): HostedErrorBody {
  const errors = error instanceof HostedError ? error.errors : [];
  return {
    message: messageFor(status, message),
    ...(errors.length > 0 && { errors }),
    status: String(status),
  };
}

function messageFor(status: number, message: string): string {
  if (status === 404) return 'Not Found';
  return status === 500 ? 'Server Error' : message;
}
