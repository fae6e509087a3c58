/** A piece of a word, as it was quoted. */
interface WordPart {
  readonly text: string;
  /** Between quotes, so it makes a word even when it is empty. */
  readonly isQuoted: boolean;
  /** Between single quotes, so nothing is replaced in it. */
  readonly isLiteral: boolean;
}

export interface Command {
  /** What stands before it: whether it depends on the code of the one before. */
  readonly after: ';' | '&&' | '||';
  readonly words: readonly (readonly WordPart[])[];
  /** `>&2` */
  readonly toStderr: boolean;
}

type Token = { readonly operator: Command['after'] | '>&2' } | { readonly word: readonly WordPart[] };

/** Reads commands with quotes and variables, joined by `;`, `&&` and `||`. No loops, pipes or files. */
export function parseScript(script: string): readonly Command[] {
  const commands: Command[] = [];
  let after: Command['after'] = ';';
  let words: (readonly WordPart[])[] = [];
  let toStderr = false;
  const finish = (next: Command['after']): void => {
    if (words.length > 0) commands.push({ after, words, toStderr });
    after = next;
    words = [];
    toStderr = false;
  };
  for (const token of tokens(script)) {
    if ('word' in token) words.push(token.word);
    else if (token.operator === '>&2') toStderr = true;
    else finish(token.operator);
  }
  finish(';');
  return commands;
}

const pattern =
  /(?<blank>[ \t]+|#[^\n]*)|(?<operator>&&|\|\||;|\n|1?>&2)|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\.)*)"|(?<bare>(?:[^\s;&|'">\\]|\\.|>(?!&2))+)/gy;

function* tokens(script: string): Generator<Token> {
  let word: WordPart[] = [];
  for (const { groups = {} } of script.matchAll(pattern)) {
    const part = partOf(groups);
    if (part !== undefined) {
      word.push(part);
      continue;
    }
    if (word.length > 0) yield { word };
    word = [];
    const { operator } = groups;
    if (operator === undefined) continue;
    if (operator.endsWith('>&2')) yield { operator: '>&2' };
    else yield { operator: operator === '\n' ? ';' : (operator as Command['after']) };
  }
  if (word.length > 0) yield { word };
}

function partOf({ single, double, bare }: Record<string, string | undefined>): WordPart | undefined {
  if (single !== undefined) return { text: single, isQuoted: true, isLiteral: true };
  if (double !== undefined) return { text: double.replace(/\\(["\\$])/g, '$1'), isQuoted: true, isLiteral: false };
  if (bare !== undefined) return { text: bare.replace(/\\(.)/g, '$1'), isQuoted: false, isLiteral: false };
  return undefined;
}
