import { EngineError, type ErrorKind } from '../errors/engine-error.js';

/**
 * - `auth-needed`: the source requires credentials, and none were given.
 * - `auth-failed`: the credentials were refused.
 * - `unreachable`: the host is unknown, refuses connections, or stopped responding.
 * - `refused-address`: the URL, or a redirect from it, leads to an address that is not allowed.
 * - `unsupported-url`: a scheme or a form that is never fetched from.
 * - `not-a-repository`: a server responds, but not as a repository of that kind.
 * - `project-needed`: there are several projects and none was named, or one that does not exist.
 * - `tool-failed`: a program exited with an error; `output` has the end of what it printed.
 * - `missing-program`: a program is not installed on this host; the message names it and its Debian package.
 * - `too-large`: more than the bytes allowed.
 */
export type SourceFailure =
  | 'auth-needed'
  | 'auth-failed'
  | 'unreachable'
  | 'refused-address'
  | 'unsupported-url'
  | 'not-a-repository'
  | 'project-needed'
  | 'tool-failed'
  | 'missing-program'
  | 'too-large';

const kindOf: Record<SourceFailure, ErrorKind> = {
  'auth-needed': 'unauthorized',
  'auth-failed': 'unauthorized',
  unreachable: 'unavailable',
  'refused-address': 'forbidden',
  'unsupported-url': 'invalid-argument',
  'not-a-repository': 'invalid-argument',
  'project-needed': 'invalid-argument',
  'tool-failed': 'internal',
  'missing-program': 'unavailable',
  'too-large': 'forbidden',
};

/** Why a source could not be read. Neither the message nor `output` ever holds a credential. */
export class SourceError extends EngineError {
  override readonly name = 'SourceError';

  constructor(
    readonly failure: SourceFailure,
    message: string,
    /** What was being done, such as `fetching the repository`. */
    readonly step: string,
    /** The end of what the program printed, up to 2 KiB; empty when no program was involved. */
    readonly output: string = '',
    options?: ErrorOptions,
  ) {
    super(kindOf[failure], message, options);
  }

  static override is(error: unknown): error is SourceError {
    return EngineError.is(error) && 'failure' in error;
  }
}
