import type { TestOutcome } from './test-outcome.js';

export interface HostColumn {
  readonly name: string;
  readonly kernel: string;
  readonly outcomes: readonly TestOutcome[];
}

const cell = (found: TestOutcome | undefined): string => {
  if (found === undefined) return 'not run';
  if (found.outcome === 'skipped') return `absent: ${found.reason}`;
  return found.outcome === 'passed' ? 'yes' : '**fails**';
};

/** A table in Markdown: a row for each test, a column for each host. */
export function hostTable(columns: readonly HostColumn[]): string {
  const titles = [...new Set(columns.flatMap(({ outcomes }) => outcomes.map(({ title }) => title)))];
  const head = ['feature', ...columns.map(({ name, kernel }) => `${name} (${kernel})`)];
  const rows = titles.map((title) => [
    title,
    ...columns.map(({ outcomes }) => cell(outcomes.find((outcome) => outcome.title === title))),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
