import { EngineError, messageOf } from '@gantry/core/errors';
import { codeOf, kindOfErrno } from '@gantry/lib-archive/errors';
import type { Failure } from './protocol.js';

/** An error as plain data, to send it to another thread. */
export function toFailure(error: unknown): Failure {
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined);
  return {
    kind: EngineError.is(error) ? error.kind : kindOfErrno(code),
    message: messageOf(error),
    code,
    stack: error instanceof Error ? error.stack : undefined,
  };
}

/** The error again, with the worker's own stack as its cause. */
export function fromFailure({ kind, message, code, stack }: Failure): EngineError {
  const cause = Object.assign(new Error(message), { code, ...(stack !== undefined && { stack }) });
  return new EngineError(kind, message, { cause });
}
