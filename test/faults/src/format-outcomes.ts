import type { Outcome } from './run-scenario.js';

/** One line for each point: how often the daemon died there, in which scenarios, and what was wrong. */
export function formatOutcomes(outcomes: readonly Outcome[]): readonly string[] {
  const byPoint = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    byPoint.set(outcome.place.point, [...(byPoint.get(outcome.place.point) ?? []), outcome]);
  }
  const rows = [...byPoint]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([point, all]) => [
      point,
      String(all.filter(({ killed }) => killed).length),
      String(all.filter(({ violations }) => violations.length > 0).length),
      [...new Set(all.map(({ scenario }) => scenario))].join(', '),
    ]);
  const table = [['POINT', 'KILLS', 'VIOLATIONS', 'SCENARIOS'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
