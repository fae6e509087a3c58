/** What was measured, each under a name that says its unit. */
export type Figures = Record<string, number | string>;

/** The value below which a share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const round = (value: number, digits = 0): number => Number(value.toFixed(digits));
