import { invalidArgument } from '@gantry/core/errors';

/** Splits at blanks, of which those in quotes and behind the escape character belong to a word. Quotes stay. */
export function splitQuoted(text: string, escapeMark: string): readonly string[] {
  const words: string[] = [];
  let word = '';
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote === '' && /\s/.test(character)) {
      if (word !== '') words.push(word);
      word = '';
      continue;
    }
    word += character;
    if (character === escapeMark && quote !== "'" && at + 1 < text.length) word += text[++at] ?? '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = '';
  }
  if (word !== '') words.push(word);
  return words;
}

export const splitBlanks = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** A JSON array of strings, else undefined. */
export function parseList(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}

/** Flags that an instruction can have several times. */
const repeatable: ReadonlySet<string> = new Set(['mount', 'exclude']);

/**
 * Takes `--name=value` from the front, without quotes and backslashes; two hyphens alone end them. `check` is asked
 * about every flag.
 * @throws EngineError `invalid-argument` for a flag that is there twice.
 */
export function takeFlags(
  text: string,
  check: (name: string, hasValue: boolean) => void,
): { readonly flags: ReadonlyMap<string, string>; readonly rest: string } {
  const flags = new Map<string, string>();
  let at = text.length - text.trimStart().length;
  while (text.startsWith('--', at)) {
    const word = bareWord(text, at);
    at = word.end;
    while (/\s/.test(text[at] ?? '')) at++;
    if (word.text === '--') break;
    const [, name = '', equals = '', value = ''] = /^--([^=]*)(=?)([\s\S]*)$/.exec(word.text) ?? [];
    const before = flags.get(name);
    if (before !== undefined && !repeatable.has(name)) throw invalidArgument(`duplicate flag specified: --${name}`);
    check(name, equals !== '');
    flags.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return { flags, rest: text.slice(at) };
}

/** Up to the next blank outside of quotes. */
function bareWord(text: string, start: number): { readonly text: string; readonly end: number } {
  let word = '';
  let quote = '';
  let at = start;
  for (; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote === '' && /\s/.test(character)) break;
    if (character === '\\') word += text[++at] ?? '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = '';
    else word += character;
  }
  return { text: word, end: Math.min(at, text.length) };
}
