import { EngineError, type ErrorKind } from '@gantry/core/errors';

/** A validation error of one field of a request. */
export interface FieldError {
  /** The resource the field belongs to, such as `Thread`. */
  readonly resource: string;
  readonly field: string;
  readonly code: 'missing' | 'missing_field' | 'invalid' | 'already_exists' | 'unprocessable';
  /** The value, and what was expected. */
  readonly message?: string;
}

/** An error with a status that only this API has. */
export class HostedError extends EngineError {
  constructor(
    readonly status: number,
    message: string,
    readonly errors: readonly FieldError[] = [],
    options?: ErrorOptions,
  ) {
    super(kinds[status] ?? 'invalid-argument', message, options);
  }
}

const kinds: Readonly<Record<number, ErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  429: 'unavailable',
  503: 'unavailable',
};

/** 422: the request is well-formed but invalid. */
export const validationFailed = (...errors: readonly FieldError[]): HostedError =>
  new HostedError(422, 'Validation Failed', errors);
