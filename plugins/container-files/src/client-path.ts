import { posix } from 'node:path';
import { invalidArgument } from '@gantry/core/errors';

/** A path in a container as the client wrote it. Spec: HEAD, GET and PUT archive. */
export interface ClientPath {
  /** Absolute, without `.` and `..`; a trailing slash requires a directory. */
  readonly path: string;
  /** The last part, also of a link that the path goes through: `.` for the content alone, `/` for the root. */
  readonly name: string;
  readonly written: string;
}

/** @throws EngineError `invalid-argument` without a path. */
export function parseClientPath(written: string | undefined): ClientPath {
  if (written === undefined || written === '') throw invalidArgument('bad parameter: path cannot be empty');
  if (written.includes('\0')) throw invalidArgument(`path: ${JSON.stringify(written)} has a zero byte`);
  const path = posix.join('/', written).replace(/(?<=.)\/$/, '');
  const isContent = /(^|\/)\.\/*$/.test(written);
  const isDirectory = isContent || written.endsWith('/');
  return {
    path: isDirectory && path !== '/' ? `${path}/` : path,
    name: isContent ? '.' : posix.basename(path) || '/',
    written,
  };
}
