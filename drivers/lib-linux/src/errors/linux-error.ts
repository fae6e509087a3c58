import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { library } from '../ffi/native.js';

export interface LinuxErrorFacts {
  /** The file, interface or program the call was about. */
  readonly path?: string;
  /** What the kernel said beyond the number. */
  readonly detail?: string;
  readonly cause?: unknown;
}

/** A system call that failed. Has the fields Node's own errors have, so that both are asked the same way. */
export class LinuxError extends Error {
  override readonly name = 'LinuxError';
  /** `ENOENT`, `EBUSY` and so on. */
  readonly code: string;
  /** The positive number. */
  readonly errno: number;
  readonly syscall: string;
  readonly path: string | undefined;
  readonly detail: string | undefined;

  constructor(errno: number | string, syscall: string, facts: LinuxErrorFacts = {}) {
    const number = typeof errno === 'number' ? errno : errnoNumber(errno);
    const code = typeof errno === 'number' ? errnoName(errno) : errno;
    const about = facts.path === undefined ? '' : ` '${facts.path}'`;
    const detail = facts.detail === undefined ? '' : `: ${facts.detail}`;
    super(`${code}: ${errnoText(number)}, ${syscall}${about}${detail}`, { cause: facts.cause });
    this.code = code;
    this.errno = number;
    this.syscall = syscall;
    this.path = facts.path;
    this.detail = facts.detail;
  }
}

/** The kernel's words for a number: `no such file or directory`. */
export function errnoText(errno: number): string {
  return getSystemErrorMap().get(-errno)?.[1] ?? libraryText(errno);
}

/** Those Node has no use for, `exec format error` for one, in the C library's words. */
function libraryText(errno: number): string {
  strerror ??= library(null).func('const char *strerror(int number)');
  const text = String(strerror(errno));
  return text.charAt(0).toLowerCase() + text.slice(1);
}

let strerror: ((errno: number) => unknown) | undefined;

/** 2 to `ENOENT`. */
export function errnoName(errno: number): string {
  const known = getSystemErrorMap().get(-errno)?.[0];
  if (known !== undefined) return known;
  const entry = Object.entries(constants.errno).find(([, number]) => number === errno);
  return entry?.[0] ?? `ERRNO${errno}`;
}

/** `ENOENT` to 2; 0 for a name that is not known. */
export function errnoNumber(code: string): number {
  return (constants.errno as Record<string, number>)[code] ?? 0;
}

/** Whether a failure, of this package or of Node's own calls, is one of the named ones. */
export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
