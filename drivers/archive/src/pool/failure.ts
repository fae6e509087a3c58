import { EngineError, type ErrorKind, messageOf } from '@gantry/core/errors';
import type { Failure } from './protocol.js';

/** System calls that fail for the state the host is in, not for what was asked. */
const kindOfCode: Readonly<Record<string, ErrorKind>> = {
  ENOSPC: 'unavailable',
  EDQUOT: 'unavailable',
  EMFILE: 'unavailable',
  ENFILE: 'unavailable',
  ENOMEM: 'unavailable',
  EROFS: 'forbidden',
  ENOENT: 'not-found',
};

/** The kind for a failed system call. */
export const kindOfErrno = (code: string | undefined): ErrorKind => kindOfCode[code ?? ''] ?? 'internal';

/** The `code` of an error of Node's or of a system call. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export function toFailure(error: unknown): Failure {
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined);
  return {
    kind: EngineError.is(error) ? error.kind : kindOfErrno(code),
    message: messageOf(error),
    code,
    stack: error instanceof Error ? error.stack : undefined,
  };
}

/** The error again, with the thread's own stack as its cause. */
export function fromFailure({ kind, message, code, stack }: Failure): EngineError {
  const cause = Object.assign(new Error(message), { code, ...(stack !== undefined && { stack }) });
  return new EngineError(kind, message, { cause });
}
