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

/** Takes `--name=value` from the front. */
export function takeFlags(text: string): { readonly flags: ReadonlyMap<string, string>; readonly rest: string } {
  const flags = new Map<string, string>();
  let rest = text;
  for (let found = /^--(\S*)\s*/.exec(rest); found !== null; found = /^--(\S*)\s*/.exec(rest)) {
    rest = rest.slice(found[0].length);
    const written = found[1] ?? '';
    // Two hyphens alone end the flags.
    if (written === '') break;
    const equals = written.indexOf('=');
    flags.set(equals < 0 ? written : written.slice(0, equals), equals < 0 ? '' : written.slice(equals + 1));
  }
  return { flags, rest };
}
