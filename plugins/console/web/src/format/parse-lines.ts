export const parseLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** `name=value` lines as an object; a line without `=` has an empty value. */
export function parsePairs(text: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const line of parseLines(text)) {
    const at = line.indexOf('=');
    if (at === 0) throw new Error(`"${line}" has no name before the =`);
    if (at === -1) pairs[line] = '';
    else pairs[line.slice(0, at)] = line.slice(at + 1);
  }
  return pairs;
}

/** Words of a command, split at spaces outside of single or double quotes. */
export function parseCommand(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (character === '\\' && quote === '"' && /["\\$`]/.test(text[at + 1] ?? '')) word += text[++at] ?? '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + (character === '\\' ? (text[++at] ?? '') : character);
  }
  if (quote !== '') throw new Error(`the command "${text}" has an open ${quote}`);
  if (word !== undefined) words.push(word);
  return words;
}
