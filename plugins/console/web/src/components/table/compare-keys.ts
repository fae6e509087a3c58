/** What rows are sorted by. */
export type SortKey = string | number;

const ascii = /^[ -~]*$/;
/** More digits than names have. */
const digits = 20;

let collator: Intl.Collator | undefined;

/**
 * Orders keys of one column: numbers by value, texts without regard to case, and numbers in them by value. Names of most
 * engines are ASCII: the collator of all languages takes longer to make than a whole list to show.
 */
export function comparisonOf(keys: readonly SortKey[]): (a: SortKey, b: SortKey) => number {
  if (keys.every((key) => typeof key === 'number')) return (a, b) => Number(a) - Number(b);
  if (!keys.every((key) => ascii.test(String(key)))) {
    collator ??= new Intl.Collator(undefined, { numeric: true });
    const { compare } = collator;
    return (a, b) => compare(String(a), String(b));
  }
  const folded = new Map(keys.map((key) => [key, fold(String(key))]));
  return (a, b) => {
    const [left = '', right = ''] = [folded.get(a), folded.get(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  };
}

const fold = (text: string): string => text.toLowerCase().replace(/\d+/g, (number) => number.padStart(digits, '0'));
