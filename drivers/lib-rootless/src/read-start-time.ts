import { readFileSync } from 'node:fs';

/** When a process began, in clock ticks after boot: with the pid it identifies the process. Gone, a zombie: undefined. */
export function readStartTime(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets, and may contain blanks and brackets itself.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
