/** Of what looks alike, in changed characters. */
const mostChanges = 2;

/** Names what was probably meant: ` (did you mean COPY?)`. Empty when nothing looks alike. */
export function suggestionFor(written: string, known: Iterable<string>): string {
  let closest: { readonly name: string; readonly changes: number } | undefined;
  for (const name of known) {
    const changes = changesBetween(written.toLowerCase(), name.toLowerCase());
    if (changes <= mostChanges && changes < (closest?.changes ?? Number.POSITIVE_INFINITY)) closest = { name, changes };
  }
  return closest === undefined ? '' : ` (did you mean ${closest.name}?)`;
}

/** The least number of characters to insert, remove or replace (Levenshtein), where it is small. */
function changesBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > mostChanges) return mostChanges + 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, character] of [...one].entries()) {
    const next = [at + 1];
    for (const [index, wanted] of [...other].entries()) {
      const replaced = (row[index] ?? 0) + (character === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
