import type { ErrorKind } from '@gantry/core/errors';

/** System calls that fail for the state of the host, not for what was asked. */
const kindOfCode: Readonly<Record<string, ErrorKind>> = {
  ENOSPC: 'unavailable',
  EDQUOT: 'unavailable',
  EMFILE: 'unavailable',
  ENFILE: 'unavailable',
  ENOMEM: 'unavailable',
  EROFS: 'forbidden',
  ENOENT: 'not-found',
};

/** The error kind of a failed system call, by its code such as `ENOSPC`. */
export const kindOfErrno = (code: string | undefined): ErrorKind => kindOfCode[code ?? ''] ?? 'internal';

/** The `code` of an error of Node's or of a system call. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
