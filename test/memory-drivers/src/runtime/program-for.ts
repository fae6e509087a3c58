import { TaskStartError } from '@gantry/core/contracts';
import type { Program } from './memory-process.js';
import { programs } from './programs.js';

/** Things of every root file system that are no programs. */
const notPrograms = new Set(['/', '/bin', '/dev', '/etc', '/etc/passwd', '/home', '/proc', '/root', '/tmp', '/usr']);

/** The program of a name or path. @throws TaskStartError as a runtime does. */
export function programFor(name: string): Program {
  const fail = (reason: string, exitCode: 126 | 127): never => {
    throw new TaskStartError(`unable to start container process: exec: ${JSON.stringify(name)}: ${reason}`, exitCode);
  };
  if (notPrograms.has(name)) return fail('permission denied', 126);
  const program = programs.get(name.replace(/^\/(usr\/)?s?bin\//, ''));
  if (program !== undefined) return program;
  return name.includes('/')
    ? fail(`stat ${name}: no such file or directory`, 127)
    : fail('executable file not found in $PATH', 127);
}
