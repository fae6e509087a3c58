import { refused, unconfined } from './emulated-hosts.js';
import type { TestOutcome } from './test-outcome.js';

export interface HostColumn {
  readonly name: string;
  readonly kernel: string;
  readonly outcomes: readonly TestOutcome[];
}

interface TableOptions {
  /** The table of an earlier run, whose cells stay where this one has none: a run of every host takes hours. */
  readonly earlier?: string;
  /** Whether every test ran on some host, so that rows of others are of tests that are gone. */
  readonly complete?: boolean;
}

const cell = (found: TestOutcome): string => {
  if (found.outcome === 'skipped') {
    return [refused, unconfined].includes(found.reason) ? found.reason : `not tried: ${found.reason}`;
  }
  return found.outcome === 'passed' ? 'yes' : '**fails**';
};

/** A table in Markdown: a row for each test, a column for each host. */
export function hostTable(
  columns: readonly HostColumn[],
  { earlier = '', complete = false }: TableOptions = {},
): string {
  const [oldHead = [], , ...oldRows] = earlier
    .split('\n')
    .flatMap((text) => (text.startsWith('|') ? [cellsOf(text)] : []));
  const heads = new Map(oldHead.slice(1).map((head) => [nameOf(head), head]));
  for (const { name, kernel } of columns) heads.set(name, `${name} (${/^\d+\.\d+/.exec(kernel)?.[0] ?? kernel})`);
  const oldCell = (title: string, host: string): string | undefined => {
    const column = oldHead.findIndex((head) => nameOf(head) === host);
    return oldRows.find(([first]) => first === title)?.[column];
  };
  const newCell = (title: string, host: string): string | undefined => {
    const found = columns.find(({ name }) => name === host)?.outcomes.find((outcome) => outcome.title === title);
    return found && cell(found);
  };
  const ran = columns.flatMap(({ outcomes }) => outcomes.map(({ title }) => title));
  const titles = new Set([...(complete ? [] : oldRows.map(([title = '']) => title)), ...ran]);
  const rows = [...titles].map((title) => [
    title,
    ...[...heads.keys()].map((host) => newCell(title, host) ?? oldCell(title, host) ?? 'not run'),
  ]);
  return textOf([['feature', ...heads.values()], ...rows]);
}

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((text) => text.trim());

/** A column is named after the host, whichever kernel it had. */
const nameOf = (head: string): string => head.replace(/ \(.*\)$/, '');

function textOf(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
