/** `NAME` of `NAME=value`. */
export const variableName = (entry: string): string => entry.split('=', 1)[0] ?? entry;

/** Own variables in their order, then those inherited that have other names. Undefined: none at all. */
export function inheritVariables(
  own: readonly string[] = [],
  inherited: readonly string[] = [],
): readonly string[] | undefined {
  const names = new Set(own.map(variableName));
  const merged = [...own, ...inherited.filter((entry) => !names.has(variableName(entry)))];
  return merged.length === 0 ? undefined : merged;
}

/** Maps that are used as sets, such as ports and volumes. */
type SetOfNames = Readonly<Record<string, object>>;

/** The names of both. Undefined: none at all. */
export function unite(inherited: SetOfNames | undefined, own: SetOfNames | undefined): SetOfNames | undefined {
  const merged = { ...inherited, ...own };
  return Object.keys(merged).length === 0 ? undefined : merged;
}
