/** Values by figure. The figure's name ends with its unit; a rate is one whose unit ends with `/s`. */
export type Values = Record<string, readonly number[]>;

/** Measures work, and appends its duration in milliseconds to a list. */
export async function timed<T>(into: number[], work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  into.push(performance.now() - start);
  return result;
}

/** The smallest measured value that a share of all values does not exceed. NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const isRate = (figure: string): boolean => figure.endsWith('/s');

/** Appends the values of another round. */
export function addValues(all: Map<string, number[]>, values: Values): void {
  for (const [figure, more] of Object.entries(values)) all.set(figure, [...(all.get(figure) ?? []), ...more]);
}
