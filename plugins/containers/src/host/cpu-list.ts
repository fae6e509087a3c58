/** Numbers of CPUs or memory nodes. */
export type CpuList = ReadonlySet<number>;

/** The kernel has no more of either; larger numbers would only make large sets. */
const largest = 8191;

/** Reads `0-3,8`. Undefined when it is none. */
export function parseCpuList(text: string): CpuList | undefined {
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const [, first, last = first] = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === undefined || to < from || to > largest) return undefined;
    for (let number = from; number <= to; number += 1) found.add(number);
  }
  return found;
}

/** `0-3,8`. */
export function formatCpuList(list: CpuList): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of [...list].sort((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}
