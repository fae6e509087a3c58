import path from 'node:path';
import { invalidArgument } from '@gantry/core/errors';

/** Without final slashes, doubled ones and dots. */
export const cleanPath = (given: string): string => {
  const normal = path.posix.normalize(given);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
};

/** Where something is mounted in the container. @throws EngineError `invalid-argument`. */
export function checkDestination(given: string): string {
  if (given === '') throw invalidArgument('field Target must not be empty');
  if (!given.startsWith('/')) throw invalidArgument(`invalid mount path: '${given}' mount path must be absolute`);
  const clean = cleanPath(given);
  if (clean === '/') throw invalidArgument("invalid specification: destination can't be '/'");
  return clean;
}

/**
 * Drivers of other people's may have names of their own kind, the ones of this engine not.
 * @throws EngineError `invalid-argument`.
 */
export function checkVolumeName(name: string, driver: string): void {
  if ((driver !== '' && driver !== 'local') || /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name)) return;
  throw invalidArgument(
    `create ${name}: "${name}" includes invalid characters for a local volume name, only "[a-zA-Z0-9][a-zA-Z0-9_.-]" ` +
      'are allowed. If you intended to pass a host directory, use absolute path',
  );
}
