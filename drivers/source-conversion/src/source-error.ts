import { EngineError, type ErrorKind } from '@gantry/core/errors';

/**
 * - `auth-needed`: the source gives nothing without credentials, and there were none.
 * - `auth-failed`: the credentials were refused.
 * - `unreachable`: no such host, nothing listens there, or it fell silent.
 * - `refused-address`: the URL, or what it redirects to, leads to an address that is not allowed.
 * - `unsupported-url`: a scheme or a form that is never fetched from.
 * - `not-a-repository`: something answers, but it is not a repository of that kind.
 * - `project-needed`: there are several projects and none was named, or not one of them; see `choices`.
 * - `tool-failed`: a program ended with an error; `output` has its last words.
 * - `missing-program`: the host lacks a program; the message names it and its Debian package.
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

/** Why a source could not be converted. Neither the message nor `output` ever holds a credential. */
export class SourceError extends EngineError {
  override readonly name = 'SourceError';

  constructor(
    readonly failure: SourceFailure,
    message: string,
    /** What was being done, for `failed_step`: `fetching the repository`, say. */
    readonly step: string,
    /** Last words of the program, up to 2 KiB; empty when there was none. */
    readonly output: string = '',
    options?: ErrorOptions,
  ) {
    super(kindOf[failure], message, options);
  }

  static override is(error: unknown): error is SourceError {
    return EngineError.is(error) && 'failure' in error;
  }
}
