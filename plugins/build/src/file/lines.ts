import { invalidArgument } from '@gantry/core/errors';

/** One instruction as text, its continuations joined. */
export interface LogicalLine {
  readonly text: string;
  /** Where it begins, from 1. */
  readonly number: number;
}

export interface SourceLines {
  /** Continues lines and takes the meaning from the next character. */
  readonly escapeMark: '\\' | '`';
  readonly lines: readonly LogicalLine[];
  /** Numbers of the lines in which a continuation holds an empty line. */
  readonly emptyContinuations: readonly number[];
}

/** @throws EngineError `invalid-argument` for a bad escape directive. */
export function readLines(source: string): SourceLines {
  const physical = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  const escapeMark = readEscape(physical);
  const continued = escapeMark === '\\' ? /\\[ \t]*$/ : /`[ \t]*$/;
  const lines: LogicalLine[] = [];
  const emptyContinuations = new Set<number>();
  let open: { text: string; number: number } | undefined;
  const close = (): void => {
    if (open !== undefined && open.text.trim() !== '') lines.push({ text: open.text.trim(), number: open.number });
    open = undefined;
  };
  for (const [index, raw] of physical.entries()) {
    if (/^\s*#/.test(raw)) continue;
    if (raw.trim() === '') {
      if (open !== undefined && index < physical.length - 1) emptyContinuations.add(open.number);
      continue;
    }
    const begun: { text: string; number: number } = open ?? { text: '', number: index + 1 };
    const part = begun.text === '' ? raw.trimStart() : raw;
    open = { text: begun.text + part.replace(continued, ''), number: begun.number };
    if (!continued.test(part)) close();
  }
  close();
  return { escapeMark, lines, emptyContinuations: [...emptyContinuations] };
}

/** Directives stand in front of everything else, comments too. */
function readEscape(lines: readonly string[]): '\\' | '`' {
  const seen = new Set<string>();
  let escapeMark: '\\' | '`' = '\\';
  for (const [index, line] of lines.entries()) {
    const [, name = '', value = ''] = /^\s*#\s*([a-zA-Z][a-zA-Z0-9]*)\s*=\s*(.+?)\s*$/.exec(line) ?? [];
    const directive = name.toLowerCase();
    if (directive !== 'escape' && directive !== 'syntax') break;
    if (seen.has(directive)) {
      throw invalidArgument(
        `dockerfile parse error line ${index + 1}: only one ${directive} parser directive can be used`,
      );
    }
    seen.add(directive);
    if (directive !== 'escape') continue;
    if (value !== '\\' && value !== '`') {
      throw invalidArgument(
        `dockerfile parse error line ${index + 1}: invalid ESCAPE '${value}'. Must be ${'`'} or \\`,
      );
    }
    escapeMark = value;
  }
  return escapeMark;
}
