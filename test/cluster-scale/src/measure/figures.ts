/** What was measured, each under a name that says its unit. */
export type Figures = Record<string, number | string>;

export const round = (value: number, digits = 0): number => Number(value.toFixed(digits));
