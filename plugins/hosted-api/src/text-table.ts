/** A row of a table, by column name. */
export type Row = Readonly<Record<string, unknown>>;

/** Formats rows as a table with a header, for a terminal. */
export function textTable(rows: readonly Row[], columns: readonly string[]): string {
  const lines = [
    columns.map((name) => name.toUpperCase()),
    ...rows.map((row) => columns.map((name) => cell(row[name]))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const cell = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value ?? '-'));
