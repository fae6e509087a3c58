import { TaskStartError } from '@gantry/core/contracts';
import { isRecord } from '@gantry/core/driver';

/** What a runtime was asked to do when it failed. */
type RuntimeVerb = 'create' | 'start' | 'exec';

/** The error clients expect for what a runtime printed; `program` is the first of the process's arguments. */
export function taskStartError(verb: RuntimeVerb, printed: string, program: string): TaskStartError {
  const reason =
    inCommonWords(reasonOf(printed), program) || `exec: ${JSON.stringify(program)}: the runtime gave no reason`;
  const exitCode = exitCodeFor(reason, program);
  const hint = isWrongMountTarget(reason) ? wrongMountTarget : '';
  return new TaskStartError(`OCI runtime ${verb} failed: ${reason}: unknown${hint}`, exitCode);
}

/** The words of the last error a runtime printed, without the time and level some put around them. */
export function reasonOf(printed: string): string {
  const lines = printed.split('\n').map((line) => line.trim());
  const errors = lines.flatMap((line) => messageOfLine(line) ?? []);
  return errors.at(-1) ?? lines.filter((line) => line !== '' && !isLogLine(line)).join(': ');
}

/** The message of the last error in a log of a runtime that writes JSON; empty without one. */
export function reasonInLog(log: string): string {
  const errors = log.split('\n').flatMap((line) => errorOfEntry(line) ?? []);
  return errors.at(-1) ?? '';
}

/** Undefined for an entry of another level, and for one that a killed runtime wrote half. */
function errorOfEntry(line: string): string | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    if (!isRecord(entry) || (entry.level !== 'error' && entry.level !== 'fatal')) return undefined;
    return typeof entry.msg === 'string' ? entry.msg : undefined;
  } catch {
    return undefined;
  }
}

const isLogLine = (line: string): boolean => /^time="[^"]*" level=\w+ msg=/.test(line);

/** runc writes `time="..." level=error msg="..."`, the message quoted as a JSON string is. */
function messageOfLine(line: string): string | undefined {
  const [, quoted] = /^time="[^"]*" level=(?:error|fatal) msg=("(?:[^"\\]|\\.)*"|\S+)/.exec(line) ?? [];
  if (quoted === undefined || !quoted.startsWith('"')) return quoted;
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}

/** crun's words for a program that cannot be run, in those of runc, which clients look for. */
function inCommonWords(reason: string, program: string): string {
  const quoted = JSON.stringify(program);
  if (/^executable file `.*` not found in \$PATH/.test(reason)) {
    return program.includes('/')
      ? `exec: ${quoted}: stat ${program}: no such file or directory`
      : `exec: ${quoted}: executable file not found in $PATH`;
  }
  // What it says of a directory is that opening it is not permitted.
  if (/^open executable: (permission denied|operation not permitted)/i.test(reason)) {
    return `exec: ${quoted}: permission denied`;
  }
  return reason;
}

function exitCodeFor(reason: string, program: string): 126 | 127 | 128 {
  const text = reason.toLowerCase();
  if (isWrongMountTarget(reason)) return 127;
  if (text.includes('permission denied')) return 126;
  const isAboutProgram = program !== '' && text.includes(program.toLowerCase());
  const isMissing = /executable file .*not found|no such file or directory/.test(text);
  return isAboutProgram && isMissing ? 127 : 128;
}

const isWrongMountTarget = (reason: string): boolean => /not a directory/i.test(reason);

const wrongMountTarget =
  ': Are you trying to mount a directory onto a file (or vice-versa)? ' +
  'Check if the specified host path exists and is the expected type';
