import type { Finding, Report } from './finding.js';

const marks = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM' } as const;
const markWidth = Math.max(...Object.values(marks).map(({ length }) => length));

/** The report as text: a line for each finding, and below those that are not ok what it means and what to do. */
export function* formatReport({ daemon, findings }: Report): Generator<string> {
  const width = Math.max(...findings.map(({ id }) => id.length));
  const indent = ' '.repeat(markWidth + 2);
  for (const { found, id, level, meaning, remedy } of findings) {
    yield `${marks[level].padEnd(markWidth)}  ${id.padEnd(width)}  ${found}`;
    if (level === 'ok') continue;
    yield `${indent}${meaning}`;
    if (remedy !== undefined) yield `${indent}${remedy}`;
  }
  const count = (level: Finding['level']): number => findings.filter((finding) => finding.level === level).length;
  yield '';
  yield `${plural(count('problem'), 'problem')}, ${plural(count('warning'), 'warning')}, ${count('ok')} ok`;
  if (!daemon) yield 'No daemon runs; its packages, storage driver and orphans were not looked at.';
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
