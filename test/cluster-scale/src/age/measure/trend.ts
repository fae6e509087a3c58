/** How something changes over time, by the line with the least squared distances from its samples. */
export interface Trend {
  readonly samples: number;
  readonly mean: number;
  readonly least: number;
  readonly most: number;
  /** From the first sample to the last one, on that line, in percent of its first value. */
  readonly changePercent: number;
}

export interface Sample {
  readonly at: number;
  readonly value: number;
}

/** Undefined for fewer than three samples, of which no line says anything. */
export function trendOf(samples: readonly Sample[]): Trend | undefined {
  const count = samples.length;
  if (count < 3) return undefined;
  const values = samples.map(({ value }) => value);
  const meanAt = samples.reduce((sum, { at }) => sum + at, 0) / count;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const spread = samples.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0);
  const slope = samples.reduce((sum, { at, value }) => sum + (at - meanAt) * (value - mean), 0) / spread;
  const first = mean + slope * ((samples[0] as Sample).at - meanAt);
  const last = mean + slope * ((samples.at(-1) as Sample).at - meanAt);
  return {
    samples: count,
    mean,
    least: Math.min(...values),
    most: Math.max(...values),
    changePercent: ((last - first) / first) * 100,
  };
}
