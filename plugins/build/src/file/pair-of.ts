/** `NAME=VALUE`, or a name alone, whose value is undefined. */
export function pairOf(word: string): readonly [name: string, value: string | undefined] {
  const cut = word.indexOf('=');
  return cut < 0 ? [word, undefined] : [word.slice(0, cut), word.slice(cut + 1)];
}
