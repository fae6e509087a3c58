/** A part of an action. The text of a field has its dots, that of a group is what its parentheses hold. */
export interface Token {
  readonly type: 'text' | 'field' | 'name' | 'group' | 'pipe';
  readonly text: string;
}

const patterns: readonly (readonly [type: Token['type'], pattern: RegExp])[] = [
  ['text', /"(?:[^"\\\n]|\\.)*"|`[^`]*`/y],
  ['field', /(?:\.\w+)+/y],
  ['name', /[A-Za-z_]\w*/y],
  ['pipe', /\|/y],
];

/** @throws Error for what is no part of a pipeline. */
export function tokensOf(content: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < content.length; ) {
    if (/\s/.test(content.charAt(at))) {
      at += 1;
      continue;
    }
    const [token, end] = content.charAt(at) === '(' ? groupAt(content, at) : tokenAt(content, at);
    tokens.push(token);
    at = end;
  }
  return tokens;
}

function tokenAt(content: string, at: number): readonly [token: Token, end: number] {
  for (const [type, pattern] of patterns) {
    pattern.lastIndex = at;
    const [text] = pattern.exec(content) ?? [];
    if (text !== undefined) return [{ type, text: type === 'text' ? unquoted(text) : text }, at + text.length];
  }
  throw new Error(`"${content.slice(at)}" is not understood`);
}

function groupAt(content: string, start: number): readonly [token: Token, end: number] {
  let depth = 0;
  for (let at = start; at < content.length; ) {
    const character = content.charAt(at);
    if (character === '"' || character === '`') {
      at = tokenAt(content, at)[1];
      continue;
    }
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    at += 1;
    if (depth === 0) return [{ type: 'group', text: content.slice(start + 1, at - 1) }, at];
  }
  throw new Error('a parenthesis is not closed');
}

/** Escapes are those that JSON has, too. */
function unquoted(text: string): string {
  return text.startsWith('`') ? text.slice(1, -1) : (JSON.parse(text) as string);
}
