/** A part of a template: its text, or what its actions consist of. */
export interface Token {
  readonly type: TokenType;
  readonly text: string;
  /** Whether white space is before it, which separates operands from the fields of one. */
  readonly isSpaced: boolean;
  readonly line: number;
}

type TokenType =
  | 'text'
  | 'begin'
  | 'end'
  | 'string'
  | 'raw'
  | 'character'
  | 'number'
  | 'variable'
  | 'field'
  | 'dot'
  | 'name'
  | 'declare'
  | 'assign'
  | 'pipe'
  | 'comma'
  | 'open'
  | 'close';

/** What an operand must be followed by. */
const boundary = '(?![\\w"\'`$])';

const patterns: readonly (readonly [type: TokenType, pattern: RegExp])[] = [
  ['string', /"(?:[^"\\\n]|\\.)*"/y],
  ['raw', /`[^`]*`/y],
  ['character', /'(?:[^'\\\n]|\\[^\n])+'/y],
  [
    'number',
    new RegExp(`[+-]?(?:0[xXbBoO][\\da-fA-F_]+|(?:\\d[\\d_]*\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)${boundary}`, 'y'),
  ],
  ['variable', new RegExp(`\\$[\\p{L}\\p{Nd}_]*${boundary}`, 'uy')],
  ['field', new RegExp(`\\.[\\p{L}_][\\p{L}\\p{Nd}_]*${boundary}`, 'uy')],
  ['dot', /\.(?![\w"'`$.])/y],
  ['name', new RegExp(`[\\p{L}_][\\p{L}\\p{Nd}_]*${boundary}`, 'uy')],
  ['declare', /:=/y],
  ['assign', /=/y],
  ['pipe', /\|/y],
  ['comma', /,/y],
  ['open', /\(/y],
  ['close', /\)/y],
];

/** Divides a template. @throws Error naming the line and what is not understood. */
export function tokensOf(template: string): readonly Token[] {
  const tokens: Token[] = [];
  const lineAt = (at: number): number => template.slice(0, at).split('\n').length;
  let at = 0;
  let trimsStart = false;
  for (;;) {
    const start = template.indexOf('{{', at);
    const trimsEnd = start >= 0 && /^\{\{-\s/.test(template.slice(start, start + 4));
    const text = trimmed(template.slice(at, start < 0 ? undefined : start), trimsStart, trimsEnd);
    if (text !== '') tokens.push({ type: 'text', text, isSpaced: false, line: lineAt(at) });
    if (start < 0) return tokens;
    const body = start + (trimsEnd ? 3 : 2);
    const end = commentEnd(template, body, trimsEnd) ?? addAction(tokens, template, body, lineAt);
    trimsStart = /\s-/.test(template.slice(end, end + 2));
    at = end + (trimsStart ? 4 : 2);
  }
}

function trimmed(text: string, start: boolean, end: boolean): string {
  const rest = start ? text.trimStart() : text;
  return end ? rest.trimEnd() : rest;
}

/** Where the action that a comment is ends, before its delimiter; undefined for another action. */
function commentEnd(template: string, start: number, isTrimmed: boolean): number | undefined {
  const at = isTrimmed ? start + (/^\s*/.exec(template.slice(start))?.[0].length ?? 0) : start;
  if (!template.startsWith('/*', at)) return undefined;
  const end = template.indexOf('*/', at + 2);
  if (end < 0) throw new Error('unclosed comment');
  if (!/^(?:\}\}|\s-\}\})/.test(template.slice(end + 2))) throw new Error('comment ends before closing delimiter');
  return end + 2;
}

/** Adds the tokens of an action; returns where its delimiter is. */
function addAction(tokens: Token[], template: string, start: number, lineAt: (at: number) => number): number {
  tokens.push({ type: 'begin', text: '{{', isSpaced: false, line: lineAt(start) });
  let at = start;
  for (;;) {
    const spaces = /^\s*/.exec(template.slice(at))?.[0] ?? '';
    const rest = at + spaces.length;
    const isTrimmed = spaces !== '' && template.startsWith('-}}', rest);
    const line = lineAt(rest);
    if (isTrimmed || template.startsWith('}}', rest)) {
      tokens.push({ type: 'end', text: '}}', isSpaced: spaces !== '', line });
      return isTrimmed ? rest - 1 : rest;
    }
    if (rest >= template.length) throw new Error(`line ${line}: unclosed action`);
    const [type, text] = tokenAt(template, rest, line);
    tokens.push({ type, text, isSpaced: spaces !== '', line });
    at = rest + text.length;
  }
}

function tokenAt(template: string, at: number, line: number): readonly [type: TokenType, text: string] {
  for (const [type, pattern] of patterns) {
    pattern.lastIndex = at;
    const [text] = pattern.exec(template) ?? [];
    if (text !== undefined) return [type, text];
  }
  const rest = /^.{1,20}/s.exec(template.slice(at))?.[0] ?? '';
  throw new Error(`line ${line}: unexpected ${JSON.stringify(rest)}`);
}
