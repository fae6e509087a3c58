import { dirname } from 'node:path';

const nouns: readonly (readonly [RegExp, string, string])[] = [
  [/\/volumes$/, 'volume', 'volumes'],
  [/^plugins\/containers$/, 'container', 'containers'],
  [/\/layers$/, 'layer', 'layers'],
];

/** What is in a backup, such as `2 volumes, 3 containers, 12 layers, 34.5 MB`. */
export function formatSummary(entries: readonly string[], size: number): string {
  const counts = nouns.map(([place, one, several]) => {
    const count = entries.filter((path) => place.test(dirname(path))).length;
    return `${count} ${count === 1 ? one : several}`;
  });
  return [...counts, `${(size / 1e6).toFixed(1)} MB`].join(', ');
}
