import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno, LinuxError } from '../errors/linux-error.js';

/** Where programs are looked for, whatever the caller's own environment says. */
export const programDirectories: readonly string[] = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
];

const found = new Map<string, string>();

/** The path of a program. Rejects LinuxError: `ENOENT`, or `EACCES` when all there is cannot be executed. */
export async function programPath(file: string): Promise<string> {
  if (file.includes('/')) return file;
  const known = found.get(file);
  if (known !== undefined) return known;
  let denied = false;
  for (const directory of programDirectories) {
    const path = join(directory, file);
    try {
      await access(path, constants.X_OK);
      if (!(await stat(path)).isFile()) continue;
      found.set(file, path);
      return path;
    } catch (error) {
      denied ||= isErrno(error, 'EACCES');
    }
  }
  throw new LinuxError(denied ? 'EACCES' : 'ENOENT', 'posix_spawn', { path: file });
}

/** After it was not where it had been found. */
export function forgetProgram(file: string): void {
  found.delete(file);
}
