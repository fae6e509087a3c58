import { messageOf } from '@gantry/core/errors';
import { BuildFileError } from './build-file-error.js';
import { directiveIn } from './directive-in.js';
import { type Heredoc, readHeredocs } from './heredoc.js';

const longestLine = 65_535;

/** One instruction as text, its continuations joined. */
export interface LogicalLine {
  readonly text: string;
  /** Where it begins, from 1. */
  readonly number: number;
  /** Its last line, with those of its heredocs. */
  readonly end: number;
  readonly heredocs: readonly Heredoc[];
}

interface SourceLines {
  /** Continues lines and takes the meaning from the next character. */
  readonly escapeMark: '\\' | '`';
  readonly lines: readonly LogicalLine[];
  /** Texts of the lines in which a continuation holds an empty line. */
  readonly emptyContinuations: readonly string[];
  /** The last lines of these. */
  readonly emptyContinuationEnds: readonly number[];
}

/** @throws EngineError `invalid-argument` for a bad escape directive. */
export function readLines(source: string): SourceLines {
  const physical = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  const escapeMark = readEscape(physical);
  const continued = escapeMark === '\\' ? /\\[ \t]*$/ : /`[ \t]*$/;
  const lines: LogicalLine[] = [];
  const emptyContinuations: string[] = [];
  const emptyContinuationEnds: number[] = [];
  let open: { text: string; readonly number: number; hasEmpty: boolean } | undefined;
  /** Lines up to this one are of heredocs. */
  let consumed = -1;
  const close = (last: number): void => {
    const text = open?.text.trim() ?? '';
    if (open !== undefined && text !== '') {
      consumed = last;
      const heredocs = heredocsOf(text, open.number);
      lines.push({ text, number: open.number, end: consumed + 1, heredocs });
      if (open.hasEmpty) {
        emptyContinuations.push(text);
        emptyContinuationEnds.push(consumed + 1);
      }
    }
    open = undefined;
  };
  const heredocsOf = (text: string, number: number): readonly Heredoc[] => {
    try {
      return readHeredocs(text, escapeMark, () => physical[++consumed]);
    } catch (error) {
      throw BuildFileError.near(number, messageOf(error), { cause: error });
    }
  };
  for (const [index, raw] of physical.entries()) {
    if (index <= consumed) continue;
    if (raw.length > longestLine) {
      const reason = `dockerfile line greater than maximum allowed size of ${longestLine}`;
      throw BuildFileError.inLine(index + 1, reason);
    }
    if (/^\s*#/.test(raw)) continue;
    if (raw.trim() === '') {
      if (open !== undefined && index < physical.length - 1) open.hasEmpty = true;
      continue;
    }
    const begun = open ?? { text: '', number: index + 1, hasEmpty: false };
    const part = begun.text === '' ? raw.trimStart() : raw;
    open = { ...begun, text: begun.text + part.replace(continued, '') };
    if (!continued.test(part)) close(index);
  }
  close(physical.length - 1);
  return { escapeMark, lines, emptyContinuations, emptyContinuationEnds };
}

/** Directives stand in front of everything else, comments too. */
function readEscape(lines: readonly string[]): '\\' | '`' {
  const seen = new Set<string>();
  let escapeMark: '\\' | '`' = '\\';
  for (const [index, line] of lines.entries()) {
    const { name: directive, value = '' } = directiveIn(line) ?? {};
    if (directive !== 'escape' && directive !== 'syntax' && directive !== 'check') break;
    if (seen.has(directive)) {
      throw BuildFileError.inLine(index + 1, `only one ${directive} parser directive can be used`);
    }
    seen.add(directive);
    if (directive !== 'escape') continue;
    if (value !== '\\' && value !== '`') {
      throw BuildFileError.inLine(index + 1, `invalid escape token '${value}' does not match ${'`'} or \\`);
    }
    escapeMark = value;
  }
  return escapeMark;
}
