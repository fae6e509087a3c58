import type { ProcessTable } from '@gantry/core/contracts';
import { internal, invalidArgument } from '@gantry/core/errors';

const blanks = /[\t\n\v\f\r ]+/;

const fieldsOf = (line: string): readonly string[] => line.split(blanks).filter((field) => field !== '');

/** @throws `invalid-argument` for a title that would make another column look like the process ids. */
export function checkArguments(args: readonly string[]): void {
  for (const argument of args) {
    const [, column, title] = /([^\s,=]*)=\s*(PID\S*)/.exec(argument) ?? [];
    if (column !== undefined && column !== 'pid') {
      throw invalidArgument(`specifying "${column}=${title}" is not allowed`);
    }
  }
}

/**
 * Reads what ps printed, and keeps the lines of some processes; the last column may have blanks. A line with `-` for the
 * process id is of a thread of the process before.
 */
export function parseProcessTable(output: string, pids: ReadonlySet<number>): ProcessTable {
  const [head = '', ...lines] = output.split('\n');
  const titles = fieldsOf(head);
  const column = titles.indexOf('PID');
  if (column < 0) throw invalidArgument("Couldn't find PID field in ps output");
  const processes: (readonly string[])[] = [];
  let isWanted = false;
  for (const line of lines) {
    const fields = fieldsOf(line);
    if (fields.length === 0) continue;
    const text = fields[column] ?? '';
    if (text !== '-') {
      if (!/^\d+$/.test(text)) throw internal(`Unexpected pid '${text}' in ps output`);
      isWanted = pids.has(Number(text));
    }
    if (isWanted) processes.push(inColumns(fields, titles.length));
  }
  return { titles, processes };
}

const inColumns = (fields: readonly string[], count: number): readonly string[] => [
  ...fields.slice(0, count - 1),
  fields.slice(count - 1).join(' '),
];
