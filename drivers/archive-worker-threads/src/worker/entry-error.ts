import { EngineError, type ErrorKind, messageOf } from '@gantry/core/errors';
import { codeOf, kindOfErrno } from '@gantry/lib-archive/errors';
import { printable, type TarEntry } from '@gantry/lib-archive/tar';

/** Failures that say something about the archive, when they happen while one of its entries is made. */
const archivesFault = new Set([
  'EEXIST',
  'EINVAL',
  'EISDIR',
  'ELOOP',
  'EMLINK',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'EOVERFLOW',
  'ERANGE',
  'ERR_OUT_OF_RANGE',
]);

/** The error with the entry's name, of the kind its cause has. */
export function entryError(entry: TarEntry, error: unknown): EngineError {
  const code = codeOf(error);
  const kind: ErrorKind = EngineError.is(error)
    ? error.kind
    : archivesFault.has(code ?? '')
      ? 'invalid-argument'
      : kindOfErrno(code);
  return new EngineError(kind, `${printable(entry.name)}: ${messageOf(error)}`, { cause: error });
}
